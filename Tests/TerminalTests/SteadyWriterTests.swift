import Foundation
import Synchronization
import Testing
import Texts

@testable import Terminal

@Suite("Writing to a reader that stalls or goes away", .timeLimit(.minutes(20))) struct SteadyWriterTests {
    private func writer(_ pipe: Pipe, patience: Duration = .seconds(1), _ clock: any Clock<Duration>) -> SteadyWriter {
        signal(SIGPIPE, SIG_IGN)
        return SteadyWriter(pipe.fileHandleForWriting.fileDescriptor, patience: patience, clock: clock)
    }

    @Test("every byte arrives")
    func written() async throws {
        let pipe = Pipe()
        let bytes = (0..<3_000).map { UInt8(truncatingIfNeeded: $0) }
        #expect(try await writer(pipe, PauseClock()).write(bytes, unless: { false }) == .written)
        try pipe.fileHandleForWriting.close()
        #expect(try pipe.fileHandleForReading.readToEnd().map { Array($0) } == bytes)
    }

    @Test("a reader that takes nothing is waited for as long as its patience says, and no longer")
    func stalled() async throws {
        let pipe = Pipe()
        let clock = PauseClock()
        let big = Array(repeating: UInt8(0), count: 1 << 20)
        #expect(try await writer(pipe, clock).write(big, unless: { false }) == .stalled)
        #expect(clock.pauses.reduce(Duration.zero, +) == .seconds(1))
        withExtendedLifetime(pipe) {}
    }

    @Test("a reader that goes on is not given up: its patience begins again with each piece")
    func slow() async throws {
        let pipe = Pipe()
        let clock = PauseClock(reader: pipe.fileHandleForReading)
        let big = Array(repeating: UInt8(7), count: 1 << 18)
        #expect(
            try await writer(pipe, patience: SteadyWriter.look * 2, clock).write(big, unless: { false }) == .written)
        #expect(clock.pauses.count > 10)
    }

    @Test("while a reader stalls, the caller can stop")
    func stopped() async throws {
        let pipe = Pipe()
        let clock = PauseClock()
        let big = Array(repeating: UInt8(0), count: 1 << 20)
        #expect(
            try await writer(pipe, patience: .seconds(3_600), clock).write(big, unless: { clock.pauses.count >= 3 })
                == .stopped)
        #expect(clock.pauses.count == 3)
        withExtendedLifetime(pipe) {}
    }

    @Test("a reader that went away is noticed, also while nothing is written")
    func abandoned() async throws {
        let pipe = Pipe()
        let writer = writer(pipe, PauseClock())
        #expect(!writer.isAbandoned)
        try pipe.fileHandleForReading.close()
        #expect(writer.isAbandoned)
        #expect(try await writer.write([1], unless: { false }) == .abandoned)
    }

    @Test("a full disk is a failure")
    func fullDisk() async throws {
        let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
        let writer = SteadyWriter(full.fileDescriptor, patience: .seconds(1), clock: PauseClock())
        await #expect(throws: Failure.self) { _ = try await writer.write([1], unless: { false }) }
    }
}

/// A clock that does not wait, and records the pauses.
private final class PauseClock: Clock {
    struct Instant: InstantProtocol {
        let offset: Duration
        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private let log = Mutex<[Duration]>([])
    /// The slow reader, which reads during each pause; nil without one.
    private let reader: FileHandle?

    init(reader: FileHandle? = nil) { self.reader = reader }

    var now: Instant { Instant(offset: .zero) }
    var minimumResolution: Duration { .zero }
    var pauses: [Duration] { log.withLock { $0 } }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        log.withLock { $0.append(deadline.offset) }
        _ = try reader?.read(upToCount: 4_096)
    }
}
