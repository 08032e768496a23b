internal import NIOCore
internal import NIOEmbedded
internal import NIOHTTP1
internal import Testing

@testable internal import ServerHTTP

/// A connection without a network and with virtual time, whose client takes the answers when the test says so.
@Suite("The flow of requests on a connection")
struct RequestFlowTests {
    /// The socket of a client: it takes what was written when ``take()`` is called.
    private final class Socket: ChannelOutboundHandler {
        typealias OutboundIn = ByteBuffer

        private var unsent: [EventLoopPromise<Void>] = []
        private(set) var reads = 0
        private(set) var unsentBytes = 0
        private(set) var written = ""
        private(set) var hasClosedOutput = false
        private(set) var isClosed = false

        func read(context: ChannelHandlerContext) { reads += 1 }

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            let bytes = unwrapOutboundIn(data)
            unsentBytes += bytes.readableBytes
            written += String(buffer: bytes)
            if let promise { unsent.append(promise) }
        }

        func flush(context: ChannelHandlerContext) {}

        func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
            if case .output = mode { hasClosedOutput = true }
            if case .all = mode { isClosed = true }
            promise?.succeed()
        }

        /// Receives all that was written. Answers that are written meanwhile stay for the next time.
        func take() {
            let taken = unsent
            (unsent, unsentBytes) = ([], 0)
            for promise in taken { promise.succeed() }
        }
    }

    /// Answers every request at once.
    private final class Responder: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        static let answer = 1_000
        private(set) var requests = 0
        private(set) var inputIsClosed = false
        private(set) var isToldToStop = false

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard case .end = unwrapInboundIn(data) else { return }
            requests += 1
            let head = HTTPResponseHead(
                version: .http1_1, status: .ok, headers: ["Content-Length": "\(Self.answer)"])
            context.write(wrapOutboundOut(.head(head)), promise: nil)
            let body = ByteBuffer(repeating: UInt8(ascii: "x"), count: Self.answer)
            context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if case ChannelEvent.inputClosed = event { inputIsClosed = true }
            if event is ChannelShouldQuiesceEvent { isToldToStop = true }
        }
    }

    /// A connection, its client and the server behind it.
    private struct Connection {
        let channel = EmbeddedChannel()
        let socket = Socket()
        let responder = Responder()
        let table: ConnectionTable

        init(_ limits: ConnectionLimits = ConnectionLimits()) throws {
            table = ConnectionTable(limits, isProxy: { _ in false }, hasReserve: { _ in false })
            let admitted = table.admit(ClientAddress("192.0.2.1"), close: {})
            let id = try #require(admitted)
            let end = SocketEnd()
            let flow = RequestFlow(id, in: table, limits, HeadRules(hosts: nil), end: end)
            channel.pipeline.connect(to: try SocketAddress(unixDomainSocketPath: "/none"), promise: nil)
            let pipeline = channel.pipeline.syncOperations
            try pipeline.addHandlers(
                socket, end, HTTPResponseEncoder(), RequestFlow.Bytes(of: flow),
                ByteToMessageHandler(HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes)), flow, responder)
        }

        /// Delivers bytes as the system does, which reads again afterwards.
        func receive(_ bytes: String) {
            channel.pipeline.fireChannelRead(ByteBuffer(string: bytes))
            channel.pipeline.fireChannelReadComplete()
            channel.read()
        }

        func pass(_ time: TimeAmount) { channel.embeddedEventLoop.advanceTime(by: time) }
    }

    private static let request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"

    @Test("the next request is answered when the answer is received, and until then nothing is read")
    func oneAnswer() throws {
        let connection = try Connection()
        connection.receive(String(repeating: Self.request, count: 300))
        #expect(connection.socket.reads == 0)
        for answered in 1..<300 {
            #expect(connection.responder.requests == answered)
            #expect(connection.socket.unsentBytes < Responder.answer + 200)
            // The answer, and the requests behind it, of which a few are decoded.
            #expect(
                connection.table.counts.heldBytes <= Responder.answer + Self.request.utf8.count * (300 - answered))
            connection.socket.take()
            if answered < 299 { #expect(connection.socket.reads == 0) }
        }
        #expect(connection.responder.requests == 300)
        connection.socket.take()
        #expect(connection.socket.reads == 1)
        #expect(connection.table.counts.heldBytes == 0)
        // It goes on as before.
        connection.receive(Self.request)
        #expect(connection.responder.requests == 301)
        connection.socket.take()
        #expect(connection.socket.reads == 2 && connection.table.counts.ended.isEmpty)
    }

    @Test("what the system delivers at the client's end waits, too, and the end comes behind it")
    func end() throws {
        let connection = try Connection()
        connection.receive(String(repeating: Self.request, count: 100))
        // The system reads all that there is when the client has closed its half.
        for _ in 0..<3 { connection.receive(String(repeating: Self.request, count: 100)) }
        connection.channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        #expect(connection.responder.requests == 1 && !connection.responder.inputIsClosed)
        for _ in 1..<400 {
            #expect(!connection.responder.inputIsClosed)
            connection.socket.take()
        }
        #expect(connection.responder.requests == 400)
        connection.socket.take()
        #expect(connection.responder.inputIsClosed)
    }

    @Test("a client that sends more ahead than the server holds is given up, and counted")
    func tooMuch() throws {
        var limits = ConnectionLimits()
        limits.waitingBytes = 4 << 10
        let connection = try Connection(limits)
        let some = String(repeating: Self.request, count: 64)
        for _ in 0..<2 { connection.receive(some) }
        #expect(connection.table.counts.ended.isEmpty)
        for _ in 0..<2 { connection.receive(some) }
        #expect(connection.table.counts.ended == [.pipelined: 1])
        #expect(connection.responder.requests == 1)
    }

    @Test("a malformed request behind unread answers is refused in its turn")
    func malformed() throws {
        let connection = try Connection()
        connection.receive(Self.request + Self.request + "nonsense\r\n\r\n")
        #expect(connection.responder.requests == 1)
        connection.socket.take()
        #expect(connection.responder.requests == 2)
        #expect(connection.table.counts.ended.isEmpty)
        connection.socket.take()
        #expect(connection.table.counts.ended == [.unreadable: 1])
    }

    // MARK: The end of the server

    private static let linger = TimeAmount.milliseconds(ConnectionLimits().lingerMilliseconds)

    @Test("a request that arrives when the server stops is answered, with the word that the connection closes")
    func requestAtTheEnd() throws {
        let connection = try Connection()
        connection.receive(Self.request)
        connection.socket.take()
        connection.channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        #expect(!connection.responder.isToldToStop && !connection.socket.hasClosedOutput)
        #expect(!connection.socket.written.contains("Connection: close"))
        // The second one was sent ahead; its client has to send it again on another connection.
        connection.receive(Self.request + Self.request)
        #expect(connection.responder.requests == 2)
        #expect(connection.socket.written.contains("Connection: close"))
        // The answer is not cut: this half is closed when it is sent.
        #expect(!connection.socket.hasClosedOutput)
        connection.socket.take()
        #expect(connection.socket.hasClosedOutput && connection.responder.requests == 2)
    }

    @Test("an idle connection of a stopping server ends after a while, and one with an unsent answer after that")
    func idleAtTheEnd() throws {
        for isSent in [true, false] {
            let connection = try Connection()
            connection.receive(Self.request)
            if isSent { connection.socket.take() }
            for _ in 0..<2 { connection.channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent()) }
            connection.channel.embeddedEventLoop.advanceTime(by: Self.linger - .milliseconds(1))
            #expect(!connection.socket.hasClosedOutput)
            connection.channel.embeddedEventLoop.advanceTime(by: .milliseconds(1))
            #expect(connection.socket.hasClosedOutput == isSent)
            connection.socket.take()
            connection.channel.embeddedEventLoop.advanceTime(by: Self.linger)
            #expect(connection.socket.hasClosedOutput && connection.responder.requests == 1)
        }
    }
    // MARK: Times

    private static let millisecond = TimeAmount.milliseconds(1)

    @Test(
        "a request that is not complete in time is given up, even if bytes keep coming",
        arguments: [
            ("X-Long: ", "x"), ("Content-Length: 1000000\r\n\r\n", "x"),
            ("Transfer-Encoding: chunked\r\n\r\n", "1\r\nx\r\n"),
        ])
    func dripping(begin: String, drip: String) throws {
        let connection = try Connection()
        let pause = TimeAmount.milliseconds(ConnectionLimits().requestMilliseconds / 300)
        // The first head, which has a limit of its own, is not about this one.
        connection.receive(Self.request)
        connection.socket.take()
        connection.receive("POST / HTTP/1.1\r\nHost: a\r\n" + begin)
        for _ in 0..<299 {
            connection.pass(pause)
            connection.receive(drip)
        }
        connection.pass(pause - Self.millisecond)
        connection.receive(drip)
        #expect(!connection.socket.isClosed && connection.table.counts.ended.isEmpty)
        connection.pass(Self.millisecond)
        #expect(connection.socket.isClosed && connection.table.counts.ended == [.request: 1])
        #expect(connection.responder.requests == 1)
    }

    @Test("a request in time is answered, however often, with pauses that are together longer than one may take")
    func quick() throws {
        let connection = try Connection()
        let time = TimeAmount.milliseconds(ConnectionLimits().requestMilliseconds)
        for number in 1...3 {
            // Each is complete at its last moment.
            connection.receive("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\n")
            connection.pass(time - Self.millisecond)
            connection.receive("x")
            #expect(connection.responder.requests == number)
            connection.socket.take()
            connection.pass(time)
        }
        #expect(!connection.socket.isClosed && connection.table.counts.ended.isEmpty)
    }

    @Test("a client that does not receive its answer is given up, and a longer answer has more time")
    func stalledReader() throws {
        var limits = ConnectionLimits()
        // For an answer two seconds more.
        limits.answerBytesPerSecond = Responder.answer / 2
        let time = TimeAmount.milliseconds(limits.answerMilliseconds) + .seconds(2)
        let connection = try Connection(limits)
        // A slow one, twice: the time of the second answer begins with it.
        for _ in 0..<2 {
            connection.receive(Self.request)
            connection.pass(time - Self.millisecond)
            connection.socket.take()
            connection.pass(time)
            #expect(!connection.socket.isClosed && connection.table.counts.ended.isEmpty)
        }
        connection.receive(Self.request)
        connection.pass(time - Self.millisecond)
        #expect(!connection.socket.isClosed && connection.table.counts.ended.isEmpty)
        connection.pass(Self.millisecond)
        #expect(connection.socket.isClosed && connection.table.counts.ended == [.answer: 1])
        #expect(connection.responder.requests == 3)
    }
}
