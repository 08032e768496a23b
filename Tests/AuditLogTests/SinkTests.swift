internal import Synchronization
internal import TestSupport
internal import Testing

@testable internal import AuditLog

/// A clock whose sleepers wait until the test lets them go on.
final class StoppedClock: Clock, Sendable {
    struct Instant: InstantProtocol {
        var offset: Duration = .zero
        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private let state = Mutex((isOver: false, waiting: [CheckedContinuation<Void, Never>]()))

    var now: Instant { Instant() }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if !state.isOver { state.waiting.append(continuation) }
                return state.isOver
            }
            if isOver { continuation.resume() }
        }
    }

    /// Lets every deadline pass, now and later.
    func pass() {
        let waiting = state.withLock { state in
            state.isOver = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}

/// A sink that takes everything, fails, or never answers, even when it is cancelled.
final class TestSink: AuditSink {
    enum Kind {
        case good
        case failing
        case stuck
    }

    struct Failure: Error {}

    private let kind: Kind
    private let state = Mutex((entries: [UInt64: [UInt8]](), stuck: [CheckedContinuation<Void, Never>]()))

    init(_ kind: Kind) { self.kind = kind }

    deinit { for continuation in state.withLock({ $0.stuck }) { continuation.resume() } }

    var entries: [UInt64: [UInt8]] { state.withLock { $0.entries } }

    func accept(_ batch: SinkBatch) async throws {
        switch kind {
        case .good:
            state.withLock { state in
                for (offset, entry) in batch.entries.enumerated() {
                    state.entries[batch.first + UInt64(offset)] = entry
                }
            }
        case .failing: throw Failure()
        case .stuck: await withCheckedContinuation { continuation in state.withLock { $0.stuck.append(continuation) } }
        }
    }
}

@Suite("Sinks")
struct SinkTests {
    private let name: AuditIdentifier

    init() throws { name = try AuditIdentifier(Array("copy".utf8)) }

    private func admission() throws -> AuditEvent { try event(1) }

    @Test("a required sink has an entry when the admission returns")
    func required() async throws {
        let fixture = try LogFixture()
        let log = try await fixture.create()
        try await log.append(event(0))
        let sink = TestSink(.good)
        try await log.add(sink, named: name, isRequired: true, deadline: .seconds(5), clock: StoppedClock())
        let place = try await log.admit(admission()).sequence
        #expect(sink.entries.keys.contains(place))
        let entries = try LogReader(at: fixture.path).entries(place..<place + 1)
        #expect(entries.first == sink.entries[place])
        await #expect(throws: AuditLogError.alreadyExists) {
            try await log.add(sink, named: name, isRequired: true, deadline: .seconds(5), clock: StoppedClock())
        }
        try await log.close()
        #expect(try fixture.verify().0.findings == [])
    }

    @Test("a bad audit sink blocks neither other events nor its own removal, also if it never answers")
    func badSink() async throws {
        let fixture = try LogFixture()
        let log = try await fixture.create()
        let sink = TestSink(.stuck)
        try await log.add(sink, named: name, isRequired: true, deadline: .seconds(5), clock: StoppedClock())
        // The admission waits for the sink; appending does not.
        let waiting = Task { try await log.admit(event(1)) }
        try await log.append(event(2))
        for number in 3..<100 { try await log.append(event(number)) }
        // The deadline never comes, and the sink never answers. The removal lets the admission go on.
        try await log.removeSink(name)
        _ = try await waiting.value
        _ = try await log.admit(admission())
        try await log.close()
        let (report, records) = try fixture.verify()
        #expect(report.findings == [])
        #expect(logEvents(records).contains(.sinkRemoved(name)))
        await #expect(throws: AuditLogError.notFound) { try await log.removeSink(name) }
    }

    @Test("a required sink that is late or fails refuses acts until it is removed", arguments: [true, false])
    func failed(_ isLate: Bool) async throws {
        let fixture = try LogFixture()
        let log = try await fixture.create()
        let clock = StoppedClock()
        let sink = TestSink(isLate ? .stuck : .failing)
        try await log.add(sink, named: name, isRequired: true, deadline: .seconds(5), clock: clock)
        if isLate { clock.pass() }
        for _ in 0..<2 {
            await #expect(throws: AuditLogError.sinkFailed("copy")) { try await log.admit(admission()) }
        }
        // An event that needs no second copy is still logged.
        try await log.append(event(5))
        try await log.removeSink(name)
        _ = try await log.admit(admission())
        try await log.close()
        let (report, records) = try fixture.verify()
        #expect(report.findings == [])
        let own = logEvents(records)
        #expect(own.filter { $0 == .sinkFailed(name) }.count == 1)
        #expect(own.filter { $0 == .sinkRemoved(name) }.count == 1)
    }

    @Test("a sink that is not required never refuses an act, and gets no more once it has failed")
    func optional() async throws {
        let fixture = try LogFixture()
        let log = try await fixture.create()
        try await log.add(
            TestSink(.failing), named: name, isRequired: false, deadline: .seconds(5), clock: StoppedClock())
        for _ in 0..<20 { _ = try await log.admit(admission()) }
        try await log.close()
        #expect(try fixture.verify().0.findings == [])
    }

    @Test("a sink gets every entry once, also those of commits whose call failed")
    func complete() async throws {
        let fixture = try LogFixture()
        let files = ModelFiles()
        let log = try await AuditLog.create(fixture.setup, in: files, lock: nil)
        let sink = TestSink(.good)
        try await log.add(sink, named: name, isRequired: true, deadline: .seconds(5), clock: StoppedClock())
        try await log.append(event(0))
        files.setFree(100)
        await #expect(throws: AuditLogError.diskFull) { try await log.append(event(1)) }
        files.setFree(nil)
        try await log.append(event(2))
        try await log.close()
        #expect(sink.entries.keys.sorted() == Array(0..<(await log.size)))
    }

    @Test("a sink that is too far behind is given up, and the log goes on")
    func backlog() async throws {
        let fixture = try LogFixture()
        let log = try await fixture.create()
        try await log.add(
            TestSink(.stuck), named: name, isRequired: false, deadline: .seconds(5), clock: StoppedClock())
        for number in 0..<(AuditLimits.sinkBacklog + 10) { try await log.append(event(number)) }
        // Closing waits for the commit before it, so the record of the failure is there if it was not refused.
        try await log.append(event(0))
        let feed = SinkFeed(
            TestSink(.stuck), name: name, isRequired: true, deadline: .seconds(1), clock: StoppedClock())
        let batch = SinkBatch(first: 0, entries: [[1]], size: 1, root: .empty)
        var taken = 0
        while feed.offer(batch) {
            taken += 1
            try #require(taken <= AuditLimits.sinkBacklog)
        }
        #expect(await feed.hasTaken(through: 1) == false)
        feed.remove()
        #expect(await feed.hasTaken(through: 1))
        try await log.close()
        #expect(try fixture.verify().0.findings == [])
    }
}
