internal import Threshold

/// One run of a protocol, as its coordinator sees it: the participants, and the identity that all messages carry.
struct Ceremony {
    let participants: [any Participant]
    let session: CeremonyID
    private let roundDeadline: Deadline

    /// - Parameter roundDeadline: how long all participants have to answer in each round.
    init(participants: [any Participant], session: CeremonyID, roundDeadline: Deadline = .round) {
        self.participants = participants
        self.session = session
        self.roundDeadline = roundDeadline
    }

    /// Returns the ceremony with only some of its participants.
    func among(_ some: [any Participant]) -> Ceremony {
        Ceremony(participants: some, session: session, roundDeadline: roundDeadline)
    }

    /// Sends the same payload to all participants at once.
    ///
    /// - Returns: the payloads of the answers, in the participants' order.
    /// - Throws: the error of the first participant, by position, that does not answer correctly:
    ///   ``CeremonyError/malformedMessage`` or ``CeremonyError/staleMessage``, or an error of the participant. An error
    ///   takes precedence over silence; if the deadline comes with silent participants only,
    ///   ``CeremonyError/noAnswer(from:)``.
    func ask(
        _ kind: CeremonyMessage.Kind, _ payload: [UInt8], expecting answerKind: CeremonyMessage.Kind
    ) async throws(CeremonyError) -> [[UInt8]] {
        try await ask(
            kind, payloads: [[UInt8]](repeating: payload, count: participants.count), expecting: answerKind)
    }

    /// Sends each participant a payload of its own, to all at once.
    ///
    /// - Parameter payloads: the payloads, in the participants' order.
    /// - Throws: as ``ask(_:_:expecting:)``.
    func ask(
        _ kind: CeremonyMessage.Kind, payloads: [[UInt8]], expecting answerKind: CeremonyMessage.Kind
    ) async throws(CeremonyError) -> [[UInt8]] {
        let outcomes = await Round.run(
            questions(kind, payloads) { (answer, index) throws(CeremonyError) in
                try answer.payload(of: answerKind, in: session, from: index)
            }, until: .decided, within: roundDeadline)
        return try answers(outcomes)
    }

    /// Sends the same payload to each participant, to all at once, and expects an empty answer.
    ///
    /// - Returns: the errors of all participants that do not give it, in their order.
    func objections(
        _ kind: CeremonyMessage.Kind, _ payload: [UInt8], expecting answerKind: CeremonyMessage.Kind
    ) async -> [CeremonyError] {
        let outcomes = await Round.run(
            questions(kind, [[UInt8]](repeating: payload, count: participants.count)) {
                (answer, index) throws(CeremonyError) in
                guard try answer.payload(of: answerKind, in: session, from: index).isEmpty else {
                    throw .malformedMessage
                }
            }, until: .complete, within: roundDeadline)
        return zip(outcomes, participants).compactMap { outcome, participant in
            switch outcome {
            case .none: .noAnswer(from: [participant.index])
            case .failure(let error): error
            case .success: nil
            }
        }
    }

    /// Sends an abort to all participants at the same time, so that they wipe the ceremony's secrets, and undo its
    /// count where that is safe. A participant that does not receive this keeps its count.
    ///
    /// Returns when each participant has answered, or its deadline has come. The participants are told even if the task
    /// was cancelled.
    func abort(within deadline: Deadline = .abort) async {
        let tellings = participants.map { participant in
            let wait = Task { await deadline.wait() }
            let telling = Task {
                _ = try? await send(.abort, [], to: participant)
                wait.cancel()
            }
            return (telling, wait)
        }
        for (telling, wait) in tellings {
            await wait.value
            telling.cancel()
        }
    }

    /// Returns one question for each participant, whose answer is read as soon as it arrives.
    private func questions<Answer: Sendable>(
        _ kind: CeremonyMessage.Kind, _ payloads: [[UInt8]],
        _ read: @escaping @Sendable (CeremonyMessage, Int) throws(CeremonyError) -> Answer
    ) -> [@Sendable () async -> Result<Answer, CeremonyError>] {
        precondition(payloads.count == participants.count, "one payload for each participant")
        return zip(participants, payloads).map { participant, payload in
            {
                do throws(CeremonyError) {
                    return .success(try read(try await send(kind, payload, to: participant), participant.index))
                } catch { return .failure(error) }
            }
        }
    }

    /// Returns the answers, if all participants have given one.
    func answers<Answer: Sendable>(
        _ outcomes: [Round<Answer>.Outcome?]
    ) throws(CeremonyError) -> [Answer] {
        var answers: [Answer] = []
        var silent: [Int] = []
        for (outcome, participant) in zip(outcomes, participants) {
            switch outcome {
            case .success(let answer): answers.append(answer)
            case .failure(let error): throw error
            case .none: silent.append(participant.index)
            }
        }
        guard silent.isEmpty else { throw .noAnswer(from: silent) }
        return answers
    }

    private func send(
        _ kind: CeremonyMessage.Kind, _ payload: [UInt8], to participant: any Participant
    ) async throws(CeremonyError) -> CeremonyMessage {
        let message = CeremonyMessage(
            kind: kind, sender: CeremonyMessage.coordinator, session: session, payload: payload)
        do throws(CeremonyError) {
            return try CeremonyMessage(decoding: try await participant.answer(message.encoded))
        } catch .threshold(let error) where error.accuses {
            // A participant's word against another's is not the coordinator's own finding.
            throw .accusation(error, by: participant.index)
        }
    }
}

extension ThresholdError {
    /// Whether the error says that a participant of a signing session misbehaved.
    fileprivate var accuses: Bool {
        switch self {
        case .faulty, .cheating, .banned, .disagreement, .unauthentic: true
        default: false
        }
    }
}
