internal import AuthAPI
internal import Encoding
package import NIOCore
package import NIOHTTP1

/// Passes on the requests of a connection one at a time, and makes sure that each gets exactly one answer.
///
/// It stands between the decoder and the library, and holds later requests until the current one is answered and the
/// system has taken the whole answer. So a client that sends requests ahead and does not read costs the memory of one
/// answer. It answers a head that ``HeadRules`` refuse or that the decoder cannot read. It enforces the deadlines of
/// ``ConnectionLimits``. After the last answer it closes its own half of the connection, and the whole connection when
/// the client has closed the other half or its time is over.
package final class RequestFlow: ChannelDuplexHandler {
    package typealias InboundIn = HTTPServerRequestPart
    package typealias InboundOut = HTTPServerRequestPart
    package typealias OutboundIn = HTTPServerResponsePart
    package typealias OutboundOut = HTTPServerResponsePart

    /// The event that a handler sends down the pipeline when it begins to wait for the body.
    package struct BodyIsAwaited: Sendable {}

    /// A request and its answer.
    private struct Exchange {
        enum Answer { case awaited, begun, ended }

        var answer = Answer.awaited
        /// Whether the end of the request has arrived.
        var isRead = false
        /// Whether the client waits for `100 Continue` before it sends the body (RFC 9110 section 10.1.1).
        var awaitsContinue: Bool
        /// The bytes of the body that `Content-Length` announced and that have not arrived yet.
        var unread: Int
        /// The bytes of the body that arrived after the answer.
        var refused = 0
        /// Whether the connection is closed after the answer.
        var closes: Bool

        init(_ head: HTTPRequestHead) {
            awaitsContinue =
                head.version.minor > 0 && head.headers.first(name: "Expect")?.lowercased() == "100-continue"
            unread = head.headers.first(name: "Content-Length").flatMap(Int.init) ?? 0
            // The decoder stops after a request for another protocol or a tunnel. The server supports neither, and
            // answers such a request like any other (RFC 9110 section 7.8).
            closes =
                !head.isKeepAlive || head.version.minor == 0 || head.method == .CONNECT
                || head.headers.contains(name: "Upgrade")
        }
    }

    /// A part of a later request, or the end of the input, that arrived before the current request was answered.
    private enum Held {
        case part(HTTPServerRequestPart)
        case error(HTTPParserError)
        case inputClosed
    }

    private let id: ConnectionTable.ID
    private let table: ConnectionTable
    private let limits: ConnectionLimits
    private let rules: HeadRules
    private let end: SocketEnd

    private var exchange: Exchange?
    /// Whether bytes of a request have arrived, but not its end.
    private var isArriving = false
    private var held = CircularBuffer<Held>(initialCapacity: 0)
    private var readIsHeld = false
    /// Whether the connection accepts no more requests.
    private var isOver = false
    /// Whether the server stops: the next answer is the last.
    private var isEnding = false
    private var inputIsClosed = false
    /// Whether the library is writing a second answer to one request, which is discarded.
    private var isDropping = false
    /// The number of answers that have begun and are not sent completely, and the bytes of their bodies.
    private var unsent = 0
    private var unsentBytes = 0
    /// The bytes that wait in ``Bytes``.
    private var waitingBytes = 0
    /// The bytes that the table counts for this connection.
    private var countedBytes = 0
    private var answerDeadline = NIODeadline.now()

    private var firstHead: Scheduled<Void>?
    private var request: Scheduled<Void>?
    private var sending: Scheduled<Void>?
    private var lingering: Scheduled<Void>?
    private var ending: Scheduled<Void>?

    package init(
        _ id: ConnectionTable.ID, in table: ConnectionTable, _ limits: ConnectionLimits, _ rules: HeadRules,
        end: SocketEnd
    ) {
        self.id = id
        self.table = table
        self.limits = limits
        self.rules = rules
        self.end = end
    }

    // MARK: Times

    package func handlerAdded(context: ChannelHandlerContext) {
        firstHead = schedule(limits.firstHeadMilliseconds, context, .firstHead)
    }

    package func handlerRemoved(context: ChannelHandlerContext) { cancelAll() }

    package func channelInactive(context: ChannelHandlerContext) {
        cancelAll()
        held.removeAll()
        context.fireChannelInactive()
    }

    private func cancelAll() {
        for task in [firstHead, request, sending, lingering, ending] { task?.cancel() }
        (firstHead, request, sending, lingering, ending) = (nil, nil, nil, nil, nil)
    }

    private func schedule(
        _ milliseconds: Int64, _ context: ChannelHandlerContext, _ ending: ConnectionTable.Ending?
    ) -> Scheduled<Void> {
        context.eventLoop.assumeIsolated().scheduleTask(in: .milliseconds(milliseconds)) {
            if let ending { self.table.count(ending) }
            self.end.close()
        }
    }

    /// Extends the deadline of the answer by the time for this many bytes.
    private func extend(by bytes: Int) {
        answerDeadline = answerDeadline + .milliseconds(Int64(bytes) * 1000 / Int64(limits.answerBytesPerSecond))
    }

    /// Whether the next request has to wait: the current one is being answered, or an answer is not sent.
    private var isWaiting: Bool { exchange.map(\.isRead) ?? (unsent > 0) }

    /// Tells the table how many bytes are held for the client.
    private func countBytes() {
        let bytes = unsentBytes + waitingBytes
        guard bytes != countedBytes else { return }
        countedBytes = bytes
        table.hold(bytes, for: id)
    }

    private func answerBegins(_ context: ChannelHandlerContext) {
        if unsent == 0 { answerDeadline = context.eventLoop.now + .milliseconds(limits.answerMilliseconds) }
        unsent += 1
    }

    package func flush(context: ChannelHandlerContext) {
        context.flush()
        // Most answers are sent at once, and need no timer.
        guard unsent > 0 else { return }
        if sending == nil { watchAnswer(context) }
        countBytes()
    }

    private func watchAnswer(_ context: ChannelHandlerContext) {
        sending = context.eventLoop.assumeIsolated().scheduleTask(deadline: answerDeadline) {
            guard self.answerDeadline <= context.eventLoop.now else { return self.watchAnswer(context) }
            self.table.count(.answer)
            self.end.close()
        }
    }

    private func answerWasSent(_ context: ChannelHandlerContext) {
        unsent -= 1
        guard unsent == 0 else { return }
        sending?.cancel()
        sending = nil
        unsentBytes = 0
        countBytes()
        if isOver { return closeOutput(context) }
        if exchange == nil { resume(context) }
    }

    // MARK: Requests

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let part = unwrapInboundIn(data)
        if case .end = part {
            isArriving = false
            request?.cancel()
            request = nil
        } else {
            isArriving = true
        }
        if isOver { return }
        if isWaiting {
            if exchange?.closes != true { held.append(.part(part)) }
        } else {
            deliver(part, context)
        }
    }

    private func deliver(_ part: HTTPServerRequestPart, _ context: ChannelHandlerContext) {
        switch part {
        case .head(let head): begin(head, context)
        case .body(let bytes):
            exchange?.awaitsContinue = false
            exchange?.unread -= bytes.readableBytes
            guard exchange?.answer == .ended else { return context.fireChannelRead(wrapInboundOut(part)) }
            // The handler has answered, and reads no more of the body.
            exchange?.refused += bytes.readableBytes
            if let exchange, exchange.refused > limits.refusedBytes { giveUp(.refusedBody, context) }
        case .end:
            exchange?.awaitsContinue = false
            exchange?.isRead = true
            context.fireChannelRead(wrapInboundOut(part))
            if exchange?.answer == .ended { rest(context) }
        }
    }

    private func begin(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        firstHead?.cancel()
        firstHead = nil
        // The table has just closed it for another connection.
        guard table.begin(id) else {
            isOver = true
            return
        }
        if let problem = rules.refusal(of: head) { return refuse(problem, context) }
        var exchange = Exchange(head)
        if isEnding { exchange.closes = true }
        self.exchange = exchange
        var head = head
        // The library stops after a request with this field.
        if exchange.closes { head.headers.replaceOrAdd(name: "Connection", value: "close") }
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }

    /// Ends a request that is read and answered.
    private func rest(_ context: ChannelHandlerContext) {
        exchange = nil
        table.rest(id)
        if unsent == 0 { resume(context) }
    }

    /// Delivers the next request.
    private func resume(_ context: ChannelHandlerContext) {
        while !isOver, !isWaiting, let next = held.popFirst() {
            switch next {
            case .part(let part): deliver(part, context)
            case .error(let error): errorCaught(context: context, error: error)
            case .inputClosed: context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
            }
        }
        context.fireChannelReadComplete()
        if readIsHeld, !isWaiting {
            readIsHeld = false
            context.read()
        }
    }

    /// Delays reading while the next request has to wait.
    package func read(context: ChannelHandlerContext) {
        if isWaiting, !isOver {
            readIsHeld = true
        } else {
            context.read()
        }
    }

    package func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let error = error as? HTTPParserError else { return context.fireErrorCaught(error) }
        if isOver { return }
        if isWaiting {
            if exchange?.closes != true { held.append(.error(error)) }
            return
        }
        guard let exchange else {
            // The error does not say whether the target or the fields were too large.
            return refuse(
                error == .headerOverflow ? Problem(.tooLarge, status: 431) : Problem(.malformedRequest), context)
        }
        if exchange.answer == .ended {
            // A connection that ends before the rest of such a request has broken no rule.
            giveUp(error == .invalidEOFState ? nil : .unreadable, context)
        } else {
            // The handler that reads the body gets the error, and answers.
            self.exchange?.isRead = true
            self.exchange?.closes = true
            context.fireErrorCaught(error)
        }
    }

    package func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case ChannelEvent.inputClosed:
            inputIsClosed = true
            if isOver {
                if unsent == 0 { end.close() }
            } else if !held.isEmpty {
                held.append(.inputClosed)
            } else {
                context.fireUserInboundEventTriggered(event)
            }
        case is ChannelShouldQuiesceEvent:
            // The library, which would close an idle connection at once, does not see the event: a request that the
            // client has just sent would be lost, and the reset could take the answer before it along.
            isEnding = true
            exchange?.closes = true
            if ending == nil { awaitLastRequest(context) }
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    // MARK: Answers

    package func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(let head):
            guard exchange?.answer == .awaited else {
                // No request waits for an answer.
                isDropping = true
                promise?.succeed()
                return
            }
            context.write(wrapOutboundOut(.head(begin(head, context))), promise: promise)
        case .body(let bytes):
            if isDropping {
                promise?.succeed()
                return
            }
            extend(by: bytes.readableBytes)
            unsentBytes += bytes.readableBytes
            context.write(data, promise: promise)
        case .end:
            if isDropping {
                isDropping = false
                promise?.succeed()
                return
            }
            let sent = promise ?? context.eventLoop.makePromise()
            sent.futureResult.assumeIsolated().whenSuccess { self.answerWasSent(context) }
            exchange?.answer = .ended
            if exchange?.closes == true { stop() }
            context.write(data, promise: sent)
            if isOver { return }
            // A client that has not sent the rest of an answered request holds no place in the table: its deadline
            // continues.
            if exchange?.isRead == true { rest(context) } else { table.rest(id) }
        }
    }

    private func begin(_ head: HTTPResponseHead, _ context: ChannelHandlerContext) -> HTTPResponseHead {
        var head = head
        exchange?.answer = .begun
        if let exchange, !exchange.isRead {
            // A client that waits for `100 Continue` may never send the body. The rest of a long body is not read.
            if exchange.awaitsContinue || exchange.unread > limits.refusedBytes { self.exchange?.closes = true }
        }
        if !head.isKeepAlive { exchange?.closes = true }
        if exchange?.closes == true {
            head.headers.replaceOrAdd(name: "Connection", value: "close")
            // An HTTP/1.0 client does not know chunks: without a length the end of the connection ends the body.
            if !head.headers.contains(name: "Content-Length") { head.version = .http1_0 }
        }
        answerBegins(context)
        return head
    }

    package func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?)
    {
        guard event is BodyIsAwaited else { return context.triggerUserOutboundEvent(event, promise: promise) }
        if let exchange, exchange.awaitsContinue, exchange.answer == .awaited {
            self.exchange?.awaitsContinue = false
            let head = HTTPResponseHead(version: .http1_1, status: .continue)
            context.writeAndFlush(wrapOutboundOut(.head(head)), promise: nil)
        }
        promise?.succeed()
    }

    /// Answers with a problem, and ends the connection.
    private func refuse(_ problem: Problem, _ context: ChannelHandlerContext) {
        table.count(problem.status == 421 ? .host : .unreadable)
        stop()
        answerBegins(context)
        let body = problem.json.encoded
        unsentBytes += body.count
        let headers = HTTPHeaders([
            ("Content-Type", "application/problem+json"), ("Content-Length", "\(body.count)"),
            ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"), ("Connection", "close"),
        ])
        let head = HTTPResponseHead(version: .http1_1, status: .init(statusCode: problem.status), headers: headers)
        let sent = context.eventLoop.makePromise(of: Void.self)
        sent.futureResult.assumeIsolated().whenSuccess { self.answerWasSent(context) }
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: body)))), promise: nil)
        context.write(wrapOutboundOut(.end(nil)), promise: sent)
        flush(context: context)
    }

    // MARK: The end

    /// Stops accepting requests.
    private func stop() {
        isOver = true
        exchange = nil
        held.removeAll()
        table.rest(id)
        readIsHeld = false
    }

    /// Ends an idle connection of a server that stops, when no request has come for a while.
    private func awaitLastRequest(_ context: ChannelHandlerContext) {
        ending = context.eventLoop.assumeIsolated().scheduleTask(in: .milliseconds(limits.lingerMilliseconds)) {
            if self.isOver { return }
            guard self.exchange == nil, self.unsent == 0, self.held.isEmpty, !self.isArriving else {
                return self.awaitLastRequest(context)
            }
            self.stop()
            self.closeOutput(context)
        }
    }

    /// Ends the connection before the end of a request that is already answered.
    private func giveUp(_ ending: ConnectionTable.Ending?, _ context: ChannelHandlerContext) {
        if let ending { table.count(ending) }
        stop()
        if unsent == 0 { closeOutput(context) }
    }

    /// Closes this half only. If the server closed both halves while the client still sends, the system would reset the
    /// connection, and the client could lose the answer.
    private func closeOutput(_ context: ChannelHandlerContext) {
        if inputIsClosed { return end.close() }
        guard lingering == nil else { return }
        context.close(mode: .output, promise: nil)
        lingering = schedule(limits.lingerMilliseconds, context, nil)
        // The server reads on to notice when the client closes its half.
        context.read()
    }

    // MARK: Bytes

    /// The handler before the decoder. It sees the first bytes of a request before the decoder has a complete head, and
    /// discards the bytes that arrive when the connection is over.
    ///
    /// It gives the decoder few bytes at a time, and none while the next request has to wait: a decoded head takes many
    /// times the memory of its bytes.
    package final class Bytes: ChannelDuplexHandler {
        package typealias InboundIn = ByteBuffer
        package typealias InboundOut = ByteBuffer
        package typealias OutboundIn = HTTPServerResponsePart
        package typealias OutboundOut = HTTPServerResponsePart

        private let flow: RequestFlow
        private var waiting = ByteBuffer()
        private var endWaits = false
        private var isAdvancing = false
        private var refused = 0

        package init(of flow: RequestFlow) { self.flow = flow }

        package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            var bytes = unwrapInboundIn(data)
            if flow.isOver {
                refused += bytes.readableBytes
                return
            }
            if waiting.readableBytes == 0 { waiting = bytes } else { waiting.writeBuffer(&bytes) }
            advance(context)
        }

        /// Passes bytes on until the next request has to wait.
        private func advance(_ context: ChannelHandlerContext) {
            guard !isAdvancing else { return }
            isAdvancing = true
            defer { isAdvancing = false }
            while !flow.isOver, !flow.isWaiting, context.channel.isActive,
                let bytes = waiting.readSlice(length: min(waiting.readableBytes, flow.limits.decodedBytes)),
                bytes.readableBytes > 0
            {
                flow.isArriving = true
                context.fireChannelRead(wrapInboundOut(bytes))
                // Most requests come in one piece, and need no timer.
                if waiting.readableBytes == 0, flow.isArriving, flow.request == nil, context.channel.isActive {
                    flow.request = flow.schedule(flow.limits.requestMilliseconds, context, .request)
                }
            }
            if flow.isOver || waiting.readableBytes == 0 {
                refused += waiting.readableBytes
                waiting = ByteBuffer()
            }
            let isTooMuch = waiting.readableBytes > flow.limits.waitingBytes
            if isTooMuch {
                flow.stop()
                waiting = ByteBuffer()
            }
            flow.waitingBytes = waiting.readableBytes
            flow.countBytes()
            if isTooMuch {
                flow.table.count(.pipelined)
                flow.end.close()
            } else if endWaits, waiting.readableBytes == 0 {
                endWaits = false
                context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
            }
        }

        /// Takes the bytes that wait before those of the socket. After the connection is over it reads at most a limited
        /// number of bytes, and discards them, so that most clients can read the answer.
        package func read(context: ChannelHandlerContext) {
            if flow.isOver {
                if refused <= flow.limits.refusedBytes { context.read() }
                return
            }
            if waiting.readableBytes > 0 {
                let isFirst = !isAdvancing
                advance(context)
                if isFirst { context.fireChannelReadComplete() }
            }
            if !flow.isOver, flow.isWaiting || waiting.readableBytes > 0 {
                flow.readIsHeld = true
            } else {
                context.read()
            }
        }

        package func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if case ChannelEvent.inputClosed = event, waiting.readableBytes > 0, !flow.isOver {
                endWaits = true
            } else {
                context.fireUserInboundEventTriggered(event)
            }
        }

        package func channelInactive(context: ChannelHandlerContext) {
            waiting = ByteBuffer()
            context.fireChannelInactive()
        }
    }
}
