import Synchronization
import TestSupport

/// A server without TLS whose answers are given one after the other, each on a connection of its own.
final class ScriptedServer: Sendable {
    let node: FakeNode

    private final class Script: Sendable {
        private let answers: Mutex<[[FakeNode.Step]]>
        init(_ answers: [[FakeNode.Step]]) { self.answers = Mutex(answers) }
        func next() -> [FakeNode.Step] { answers.withLock { $0.isEmpty ? [] : $0.removeFirst() } }
    }

    init(_ answers: [[FakeNode.Step]]) throws {
        let script = Script(answers)
        node = try FakeNode { _ in script.next() }
    }

    var port: UInt16 { node.port }
    var count: Int { node.requests.count }
}

/// A clock whose sleeps of less than a minute end at once, and are recorded; others wait until they are cancelled. So
/// pauses pass, and time-outs do not.
final class ImpatientClock: Clock {
    struct Instant: InstantProtocol {
        let offset: Duration
        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private let log = Mutex<[Duration]>([])

    var now: Instant { Instant(offset: .zero) }
    var minimumResolution: Duration { .zero }
    /// The pauses that have passed.
    var pauses: [Duration] { log.withLock { $0 } }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        guard deadline.offset < .seconds(60) else { return try await StagedClock().sleep(for: .seconds(60)) }
        log.withLock { $0.append(deadline.offset) }
        try Task.checkCancellation()
    }
}
