import Secrets
import Synchronization
import Testing
internal import Threshold
import Wallet

@testable import Ceremonies
@testable import CeremoniesTestSupport

/// Rounds: all participants are asked at the same time, and the result does not depend on their speed.
@Suite("Ceremonies: rounds", .timeLimit(.minutes(20)))
struct RoundTests {
    private static let session = CeremonyID(from: SystemRandom())
    private static let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]

    private static func ceremony(
        _ participants: [GatedParticipant], _ clock: StoppedClock = StoppedClock()
    ) -> Ceremony {
        Ceremony(participants: participants, session: session, roundDeadline: Deadline(.seconds(9), clock: clock))
    }

    /// Three participants that follow scripts, once their gates open.
    private static func participants(_ scripts: [GatedParticipant.Script]) -> [GatedParticipant] {
        scripts.enumerated().map { GatedParticipant(index: $0 + 1, $1) }
    }

    /// Asks all participants, and opens their gates in this order.
    private static func ask(
        _ scripts: [GatedParticipant.Script], opening order: [Int]
    ) async -> Result<[[UInt8]], CeremonyError> {
        let participants = participants(scripts)
        let ceremony = ceremony(participants)
        let round = Task {
            do throws(CeremonyError) {
                return Result<[[UInt8]], CeremonyError>.success(
                    try await ceremony.ask(.sharingRequest, [], expecting: .sharingIntroduction))
            } catch { return .failure(error) }
        }
        for participant in participants { await participant.hears() }
        for position in order { participants[position].open() }
        return await round.value
    }

    @Test("all participants are asked before any answers; answers are in the participants' order", arguments: orders)
    func overlap(_ order: [Int]) async {
        #expect(await Self.ask([.answers, .answers, .answers], opening: order) == .success([[1], [2], [3]]))
    }

    @Test(
        "of several that fail the first one by position is reported, in whatever order they answer", arguments: orders)
    func blame(_ order: [Int]) async {
        let refusal = CeremonyError.noLedger
        #expect(await Self.ask([.isStale, .isMalformed, .throws(refusal)], opening: order) == .failure(.staleMessage))
        #expect(await Self.ask([.answers, .isMalformed, .isStale], opening: order) == .failure(.malformedMessage))
        #expect(await Self.ask([.answers, .answers, .throws(refusal)], opening: order) == .failure(refusal))
        #expect(
            await Self.ask([.throws(.threshold(.wrongGroup)), .throws(refusal), .answers], opening: order)
                == .failure(.threshold(.wrongGroup)))
    }

    @Test("a fast failure does not hide an error of an earlier participant")
    func fastFailure() async {
        let participants = Self.participants([.throws(.notWhatWasConfirmed), .answers, .throws(.noLedger)])
        participants[1].open()
        participants[2].open()
        let ceremony = Self.ceremony(participants)
        let round = Task { await failure { () async throws(CeremonyError) in try await ceremony.ask() } }
        await participants[2].answers()
        participants[0].open()
        #expect(await round.value == .notWhatWasConfirmed)
    }

    @Test("when a round is decided, open requests are cancelled without waiting for their answers")
    func cancelled() async {
        let participants = Self.participants([.throws(.noLedger), .answers, .answers])
        participants[0].open()
        let clock = StoppedClock()
        let ceremony = Self.ceremony(participants, clock)
        #expect(await failure { () async throws(CeremonyError) in try await ceremony.ask() } == .noLedger)
        for silent in participants.dropFirst() { await silent.isCancelled() }
        for silent in participants { silent.open() }
    }

    @Test("a timeout names the silent participants")
    func deadline() async {
        let participants = Self.participants([.answers, .answers])
        let clock = StoppedClock()
        let ceremony = Self.ceremony(participants, clock)
        let round = Task { await failure { () async throws(CeremonyError) in try await ceremony.ask() } }
        for participant in participants { await participant.hears() }
        clock.strike()
        #expect(await round.value == .noAnswer(from: [1, 2]))
        #expect(clock.sleeps == [.seconds(9)])
        for participant in participants {
            await participant.isCancelled()
            participant.open()
        }
    }

    @Test("a participant that answered in time is not among the silent; an error takes precedence over silence")
    func partly() async {
        func outcome(_ said: [(Int, Result<Int, CeremonyError>)]) async -> [Result<Int, CeremonyError>?] {
            let round = Round<Int>(count: 3, until: .decided)
            for (position, outcome) in said { round.note(outcome, at: position) }
            round.stop()
            await round.wait()
            // What comes later changes nothing.
            round.note(.success(99), at: 1)
            return round.outcomes
        }
        let ceremony = Self.ceremony(Self.participants([.answers, .answers, .answers]))
        let answered = await outcome([(0, .success(7)), (2, .success(8))])
        #expect(answered == [.success(7), nil, .success(8)])
        #expect(throws: CeremonyError.noAnswer(from: [2])) { try ceremony.answers(answered) }
        let failed = await outcome([(2, .failure(.staleMessage))])
        #expect(failed == [nil, nil, .failure(.staleMessage)])
        #expect(throws: CeremonyError.staleMessage) { try ceremony.answers(failed) }
    }

    @Test("a round ends as soon as it is decided; one that needs all answers ends with the last", arguments: orders)
    func ends(_ order: [Int]) async {
        let said: [Result<Int, CeremonyError>] = [.success(1), .failure(.staleMessage), .failure(.noLedger)]
        let (decided, complete) = (Round<Int>(count: 3, until: .decided), Round<Int>(count: 3, until: .complete))
        for position in order {
            decided.note(said[position], at: position)
            complete.note(said[position], at: position)
        }
        await decided.wait()
        await complete.wait()
        #expect(complete.outcomes == said)
        // After the first two the third result is no longer recorded.
        #expect(Array(decided.outcomes.prefix(2)) == Array(said.prefix(2)))
        #expect(decided.outcomes[2] == (order.last == 2 ? nil : said[2]))
    }

    @Test("every objection is collected, in the participants' order", arguments: orders)
    func objections(_ order: [Int]) async {
        let participants = Self.participants([.throws(.noLedger), .answers, .isStale])
        let ceremony = Self.ceremony(participants)
        let round = Task { await ceremony.objections(.ecdsaSignatures, [], expecting: .sharingIntroduction) }
        for participant in participants { await participant.hears() }
        for position in order { participants[position].open() }
        // The second one's answer is not empty.
        #expect(await round.value == [.noLedger, .malformedMessage, .staleMessage])
    }

    @Test("a cancelled task tells its participants, and reports their answers")
    func taskCancelled() async {
        let participants = Self.participants([.answers, .answers])
        let ceremony = Self.ceremony(participants)
        let round = Task { await failure { () async throws(CeremonyError) in try await ceremony.ask() } }
        for participant in participants { await participant.hears() }
        round.cancel()
        for participant in participants {
            await participant.isCancelled()
            participant.open()
        }
        #expect(await round.value == nil)
    }

    @Test("silent_participant: signing ends at the deadline of its round, and names the silent participants")
    func signing() async throws {
        let wallet = try KnownWallet()
        let confirmed = try Payment(from: wallet).confirmed(from: wallet)
        let participants = Self.participants([.answers, .answers])
        let (clock, abortClock) = (StoppedClock(), StoppedClock())
        abortClock.strike()
        let round = Task {
            await failure { () async throws(CeremonyError) in
                try await confirmed.sign(
                    with: participants, random: SystemRandom(), roundDeadline: Deadline(.seconds(9), clock: clock),
                    abortDeadline: Deadline(.seconds(1), clock: abortClock))
            }
        }
        for participant in participants { await participant.hears() }
        clock.strike()
        #expect(await round.value == .noAnswer(from: [1, 2]))
        for participant in participants { participant.open() }
    }
}

extension Ceremony {
    fileprivate func ask() async throws(CeremonyError) -> [[UInt8]] {
        try await ask(.sharingRequest, [], expecting: .sharingIntroduction)
    }
}

/// A participant that does not answer before its gate opens.
private final class GatedParticipant: Participant {
    enum Script: Sendable {
        case answers, isStale, isMalformed
        case `throws`(CeremonyError)
    }

    let index: Int
    private let script: Script
    private let gate = Signal()
    private let heard = Signal()
    private let answered = Signal()
    private let cancelled = Signal()

    init(index: Int, _ script: Script) {
        self.index = index
        self.script = script
    }

    func answer(_ message: [UInt8]) async throws(CeremonyError) -> [UInt8] {
        let session = try CeremonyMessage(decoding: message).session
        heard.give()
        await withTaskCancellationHandler {
            await gate.wait()
        } onCancel: {
            cancelled.give()
        }
        defer { answered.give() }
        func reply(_ kind: CeremonyMessage.Kind, _ payload: [UInt8], by sender: Int) -> [UInt8] {
            CeremonyMessage(kind: kind, sender: sender, session: session, payload: payload).encoded
        }
        switch script {
        case .answers: return reply(.sharingIntroduction, [UInt8(index)], by: index)
        case .isStale: return reply(.sharingIntroduction, [], by: index + 1)
        case .isMalformed: return []
        case .throws(let error): throw error
        }
    }

    func open() { gate.give() }

    /// Returns when it was asked, has answered, or was told that its answer is not waited for.
    func hears() async { await heard.wait() }
    func answers() async { await answered.wait() }
    func isCancelled() async { await cancelled.wait() }
}

/// An event that happens once, and that late callers can also wait for.
private final class Signal: Sendable {
    private let state = Mutex<(isGiven: Bool, waiting: [CheckedContinuation<Void, Never>])>((false, []))

    func give() {
        let waiting = state.withLock { state in
            state.isGiven = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for one in waiting { one.resume() }
    }

    func wait() async {
        await withCheckedContinuation { continuation in
            let isGiven = state.withLock { state in
                if !state.isGiven { state.waiting.append(continuation) }
                return state.isGiven
            }
            if isGiven { continuation.resume() }
        }
    }
}
