import Secrets
import Synchronization
import Testing

@testable import Ceremonies
@testable import CeremoniesTestSupport

/// Aborts by the coordinator, and participants that no longer answer.
@Suite("Ceremonies: aborts", .timeLimit(.minutes(20)))
struct AbortTests {
    @Test("silent_holder: all others are told of the abort, and the coordinator continues at the deadline")
    func silent() async throws {
        let (silent, other) = (SilentParticipant(index: 1), AttentiveParticipant(index: 2))
        let clock = StoppedClock()
        let ceremony = Ceremony(participants: [silent, other], session: CeremonyID(from: SystemRandom()))
        await withTaskCancellationHandler {
            let abort = Task { await ceremony.abort(within: Deadline(.seconds(5), clock: clock)) }
            #expect(await other.heard() == .abort)
            clock.strike()
            await abort.value
        } onCancel: {
            // The coordinator must not wait for it: otherwise the test would not end.
            silent.release()
        }
        #expect(clock.sleeps == [.seconds(5), .seconds(5)])
        silent.release()
    }

    @Test("the coordinator waits for participants that answer, without a deadline")
    func answered() async throws {
        let participants = [AttentiveParticipant(index: 1), AttentiveParticipant(index: 2)]
        let ceremony = Ceremony(participants: participants, session: CeremonyID(from: SystemRandom()))
        await ceremony.abort(within: Deadline(.seconds(5), clock: StoppedClock()))
        for participant in participants { #expect(await participant.heard() == .abort) }
    }

    @Test("participants are told and waited for even if the task of the ceremony was cancelled")
    func cancelled() async throws {
        let participant = AttentiveParticipant(index: 1)
        let ceremony = Ceremony(participants: [participant], session: CeremonyID(from: SystemRandom()))
        await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            await ceremony.abort(within: Deadline(.seconds(5), clock: StoppedClock()))
        }.value
        #expect(await participant.heard() == .abort)
        #expect(!participant.wasCancelled)
    }

    @Test("a failed signature is given up within the caller's deadline")
    func signing() async throws {
        let wallet = try await MadeWallet()
        let spend = try wallet.spend(taproot: 0, segwit: 1)
        let first = try wallet.participant(1, of: spend, ledger: MemoryLedger())
        let silent = SilentParticipant(index: 2, refusing: .unwritable)
        let clock = StoppedClock()
        clock.strike()
        await withTaskCancellationHandler {
            #expect(
                await failure { () async throws(CeremonyError) in
                    try await spend.sign(
                        with: [first, silent], random: SystemRandom(),
                        abortDeadline: Deadline(.seconds(7), clock: clock))
                } == .unwritable)
        } onCancel: {
            silent.release()
        }
        #expect(clock.sleeps == [.seconds(7), .seconds(7)])
        silent.release()
    }
}

/// A participant that receives an abort and does not answer, even when the caller no longer waits.
private final class SilentParticipant: Participant {
    let index: Int
    private let error: CeremonyError
    private let state = Mutex<(isReleased: Bool, waiting: [CheckedContinuation<Void, Never>])>((false, []))

    /// - Parameter error: its answer to all other messages.
    init(index: Int, refusing error: CeremonyError = .staleMessage) {
        self.index = index
        self.error = error
    }

    func answer(_ message: [UInt8]) async throws(CeremonyError) -> [UInt8] {
        guard try CeremonyMessage(decoding: message).kind == .abort else { throw error }
        await withCheckedContinuation { continuation in
            let isReleased = state.withLock { state in
                if !state.isReleased { state.waiting.append(continuation) }
                return state.isReleased
            }
            if isReleased { continuation.resume() }
        }
        throw .staleMessage
    }

    func release() {
        let waiting = state.withLock { state in
            state.isReleased = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}

/// A participant that reports the messages that it receives.
private final class AttentiveParticipant: Participant {
    let index: Int
    private let (messages, continuation) = AsyncStream<CeremonyMessage.Kind>.makeStream()
    private let cancelled = Mutex(false)

    /// Whether a caller stopped waiting for its answer.
    var wasCancelled: Bool { cancelled.withLock(\.self) }

    init(index: Int) { self.index = index }

    func answer(_ message: [UInt8]) async throws(CeremonyError) -> [UInt8] {
        let isCancelled = Task.isCancelled
        cancelled.withLock { $0 = isCancelled }
        continuation.yield(try CeremonyMessage(decoding: message).kind)
        return []
    }

    /// Returns the next message that it receives; nil if the test is cancelled.
    func heard() async -> CeremonyMessage.Kind? {
        for await kind in messages { return kind }
        return nil
    }
}
