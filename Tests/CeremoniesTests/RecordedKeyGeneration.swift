import Secrets
import Synchronization
import TestSupport
import Testing
import Threshold

@testable import Ceremonies
@testable import CeremoniesTestSupport

/// A key generation of 2 of 3 that nobody attacked, with all of its messages. Its coordinator runs again as often as a test
/// likes, with the same session and recorded participants, which compute nothing.
struct RecordedKeyGeneration: Sendable {
    /// Made once: what a test changes of it is its own.
    static let shared = Task { try await RecordedKeyGeneration() }

    private static let seed: UInt64 = 0x4B47
    private let parameters: ThresholdParameters
    /// The messages by participant and step.
    private let requests: [[[UInt8]]]
    private let answers: [[[UInt8]]]

    init() async throws {
        let newcomers = try Newcomers(2, of: 3)
        let listeners = newcomers.participants.map { MiddleMan(listeningTo: $0) }
        try await KeyGeneration(newcomers.parameters).run(with: listeners, random: SeededRandom(seed: Self.seed))
        parameters = newcomers.parameters
        var (requests, answers): ([[[UInt8]]], [[[UInt8]]]) = ([], [])
        for listener in listeners {
            requests.append(await listener.requests)
            answers.append(await listener.answers)
        }
        (self.requests, self.answers) = (requests, answers)
    }

    /// The answer of a participant in a step, from 1.
    func answer(of index: Int, in step: Int) -> MiddleMan.Passage {
        let own = answers[index - 1]
        return MiddleMan.Passage(
            direction: .answer, step: step, bytes: own[step - 1], earlier: Array(own[..<(step - 1)]))
    }

    /// Runs the coordinator, to which one participant answers otherwise in one step.
    ///
    /// - Returns: the coordinator's error, and the participants that were told of it.
    func coordinate(
        answering outcome: Result<[UInt8], CeremonyError>, for index: Int, in step: Int
    ) async -> (failure: CeremonyError?, told: [Int]) {
        let participants = zip(requests, answers).enumerated().map { position, messages in
            RecordedParticipant(
                index: position + 1, requests: messages.0, answers: messages.1,
                otherwise: position + 1 == index ? (step, outcome) : nil)
        }
        let failure = await failure { () async throws(CeremonyError) in
            try await KeyGeneration(parameters).run(with: participants, random: SeededRandom(seed: Self.seed))
        }
        var told: [Int] = []
        for participant in participants where await participant.isTold { told.append(participant.index) }
        return (failure, told)
    }
}

/// A participant that answers the messages of a recorded ceremony.
private actor RecordedParticipant: Participant {
    nonisolated let index: Int
    private let requests: [[UInt8]]
    private let answers: [[UInt8]]
    private let otherwise: (step: Int, outcome: Result<[UInt8], CeremonyError>)?
    private var step = 0
    private(set) var isTold = false

    init(
        index: Int, requests: [[UInt8]], answers: [[UInt8]],
        otherwise: (step: Int, outcome: Result<[UInt8], CeremonyError>)?
    ) {
        self.index = index
        self.requests = requests
        self.answers = answers
        self.otherwise = otherwise
    }

    func answer(_ message: [UInt8]) throws(CeremonyError) -> [UInt8] {
        let request = try CeremonyMessage(decoding: message)
        if request.kind == .abort {
            isTold = true
            return CeremonyMessage(kind: .aborted, sender: index, session: request.session, payload: []).encoded
        }
        step += 1
        guard step <= requests.count, message == requests[step - 1] else {
            Issue.record("the coordinator asks participant \(index) something else than in the record, in step \(step)")
            throw .staleMessage
        }
        if let otherwise, otherwise.step == step { return try otherwise.outcome.get() }
        return answers[step - 1]
    }
}

/// Changes to one request, and what a participant answers to each.
final class Attempts: Sendable {
    let attacks: [KeyGenerationAttack]
    private let state = Mutex<[Result<[UInt8], CeremonyError>]>([])

    init(_ attacks: [KeyGenerationAttack]) { self.attacks = attacks }

    var outcomes: [Result<[UInt8], CeremonyError>] { state.withLock(\.self) }

    func note(_ outcome: Result<[UInt8], CeremonyError>) { state.withLock { $0.append(outcome) } }
}

/// A relay that gives a participant each changed request before the right one, which it hands on to another relay.
actor AttemptingMan: Participant {
    nonisolated let index: Int
    private let next: any Participant
    private let participant: any Participant
    private let attempts: Attempts
    private var requests: [[UInt8]] = []

    init(_ next: any Participant, at participant: any Participant, _ attempts: Attempts) {
        index = participant.index
        self.next = next
        self.participant = participant
        self.attempts = attempts
    }

    func answer(_ message: [UInt8]) async throws(CeremonyError) -> [UInt8] {
        let passage = MiddleMan.Passage(
            direction: .request, step: requests.count + 1, bytes: message, earlier: requests)
        requests.append(message)
        for attack in attempts.attacks where attack.step == passage.step {
            let changed = attack.change(passage)
            if changed == message { Issue.record("\(attack): it changes nothing") }
            do throws(CeremonyError) {
                attempts.note(.success(try await participant.answer(changed)))
            } catch {
                attempts.note(.failure(error))
            }
        }
        return try await next.answer(message)
    }
}
