import Secrets
import Synchronization
import Testing

@testable import Ceremonies
@testable import CeremoniesTestSupport

/// A coordinator that gives a ceremony up, and participants that do not answer any more.
@Suite("Ceremonies: giving up", .timeLimit(.minutes(20)))
struct AbortTests {
    @Test("silent_holder: all others hear that a ceremony is given up, and at the deadline the coordinator goes on")
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
            // Where the coordinator waits for it, the test comes to its end.
            silent.release()
        }
        #expect(clock.sleeps == [.seconds(5), .seconds(5)])
        silent.release()
    }

    @Test("participants that answer are waited for, and no deadline has to come")
    func answered() async throws {
        let participants = [AttentiveParticipant(index: 1), AttentiveParticipant(index: 2)]
        let ceremony = Ceremony(participants: participants, session: CeremonyID(from: SystemRandom()))
        await ceremony.abort(within: Deadline(.seconds(5), clock: StoppedClock()))
        for participant in participants { #expect(await participant.heard() == .abort) }
    }

    @Test("participants are told and waited for also where the task of the ceremony was cancelled")
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

    @Test("a signature that fails is given up within the deadline that the caller names")
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

/// A participant that gets a message that a ceremony is given up, and does not answer; not even when nobody waits any more.
private final class SilentParticipant: Participant {
    let index: Int
    private let error: CeremonyError
    private let state = Mutex<(isReleased: Bool, waiting: [CheckedContinuation<Void, Never>])>((false, []))

    /// - Parameter error: what it answers to all else.
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

/// A participant that tells what it hears.
private final class AttentiveParticipant: Participant {
    let index: Int
    private let (messages, continuation) = AsyncStream<CeremonyMessage.Kind>.makeStream()
    private let cancelled = Mutex(false)

    /// Whether somebody stopped waiting for its answer.
    var wasCancelled: Bool { cancelled.withLock(\.self) }

    init(index: Int) { self.index = index }

    func answer(_ message: [UInt8]) async throws(CeremonyError) -> [UInt8] {
        let isCancelled = Task.isCancelled
        cancelled.withLock { $0 = isCancelled }
        continuation.yield(try CeremonyMessage(decoding: message).kind)
        return []
    }

    /// What it hears next; nothing if the test is cancelled.
    func heard() async -> CeremonyMessage.Kind? {
        for await kind in messages { return kind }
        return nil
    }
}
