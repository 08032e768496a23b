import Synchronization
import TestSupport
import Testing

@testable import PinnedHTTP
@testable import PinnedHTTPTestSupport
@testable import PinnedWebSockets

@Suite("The code of the documentation of streams", .timeLimit(.minutes(20)))
struct DocumentedStreamTests {
    private final class Book: Sendable {
        private let log = Mutex<[String]>([])
        var lines: [String] { log.withLock { $0 } }
        func load() async throws { log.withLock { $0.append("loaded") } }
        func apply(_ text: String) { log.withLock { $0.append(text) } }
        func isStale(since time: UInt64) { log.withLock { $0.append("stale since \(time)") } }
    }

    @Test("a stream is subscribed and read, its connection is replaced, and a message is sent")
    func task() async throws {
        let world = try WebSocketWorld(passing: [.seconds(1), .milliseconds(500)])
        let server = try world.server(tick: 1)
        let client = try world.client()
        let origin = try Origin(host: "localhost", port: server.port).required
        let request = try WebSocketRequest("/ws", at: origin).required
        let (subscribe, confirmation) = ("subscribe", "subscribed")

        let policy = WebSocketPolicy(silence: .seconds(60))
        let stream = client.stream(request, policy) { opening in
            try await opening.send(.text(subscribe))
            while try await opening.next() != .text(confirmation) {}
        }

        let book = Book()
        let reading = Task {
            for try await event in stream {
                switch event {
                case .subscribed: try await book.load()
                case .message(_, .text(let text)): book.apply(text)
                case .gap(let gap): book.isStale(since: gap.since)
                default: break
                }
            }
        }
        try await Patience.wait(for: "a tick") { book.lines.last.flatMap { Int($0) } != nil }

        let hours = 23
        if hours >= 23 { stream.replace() }
        try await Patience.wait(for: "the other connection") { book.lines.count { $0 == "loaded" } == 2 }

        let order = "cut"
        let lines = Mutex<[String]>([])
        @Sendable func log(_ line: String) { lines.withLock { $0.append(line) } }
        switch await stream.send(.text(order)) {
        case .sent(let connection): log("sent on connection \(connection)")
        case .notSent(let refusal): log("not sent: \(refusal)")
        case .unknown(let connection): log("connection \(connection) ended: look up what became of it")
        }
        #expect(lines.withLock { $0 } == ["sent on connection 2"])
        try await Patience.wait(for: "the third connection") { book.lines.count { $0 == "loaded" } == 3 }
        #expect(book.lines.count { $0 == "stale since \(TestTime.start)" } == 1)
        await stream.close()
        try await reading.value
    }
}
