internal import Threshold

/// One run of a protocol, as its coordinator sees it: the participants, and the identity that all of its messages carry.
struct Ceremony {
    let participants: [any Participant]
    let session: CeremonyID

    /// Sends the same payload to each participant.
    ///
    /// - Returns: the payloads of the answers, in the participants' order.
    /// - Throws: ``CeremonyError/malformedMessage`` or ``CeremonyError/staleMessage`` for an answer that is not the one that
    ///   was asked for, and what a participant throws.
    func ask(
        _ kind: CeremonyMessage.Kind, _ payload: [UInt8], expecting answerKind: CeremonyMessage.Kind
    ) async throws(CeremonyError) -> [[UInt8]] {
        try await ask(
            kind, payloads: [[UInt8]](repeating: payload, count: participants.count), expecting: answerKind)
    }

    /// Sends each participant a payload of its own.
    ///
    /// - Parameter payloads: in the participants' order.
    func ask(
        _ kind: CeremonyMessage.Kind, payloads: [[UInt8]], expecting answerKind: CeremonyMessage.Kind
    ) async throws(CeremonyError) -> [[UInt8]] {
        precondition(payloads.count == participants.count, "one payload for each participant")
        var answers: [[UInt8]] = []
        for (participant, payload) in zip(participants, payloads) {
            let answer = try await send(kind, payload, to: participant)
            answers.append(try answer.payload(of: answerKind, in: session, from: participant.index))
        }
        return answers
    }

    /// Sends the same payload to each participant, each of which may answer with a complaint instead. After the first complaint
    /// no other participant is asked.
    ///
    /// - Returns: the answers, if there is no complaint; and who complains.
    func ask(
        _ kind: CeremonyMessage.Kind, _ payload: [UInt8], expecting answerKind: CeremonyMessage.Kind,
        orComplaint complaintKind: CeremonyMessage.Kind
    ) async throws(CeremonyError) -> (answers: [[UInt8]], complainant: (any Participant)?) {
        var answers: [[UInt8]] = []
        for participant in participants {
            let answer = try await send(kind, payload, to: participant)
            if answer.kind == complaintKind {
                guard try answer.payload(of: complaintKind, in: session, from: participant.index).isEmpty else {
                    throw .malformedMessage
                }
                return ([], participant)
            }
            answers.append(try answer.payload(of: answerKind, in: session, from: participant.index))
        }
        return (answers, nil)
    }

    /// Tells all participants at once that nothing more comes, so that they wipe what they keep of the session, and take back what they
    /// counted for it where that is safe. A participant that does not hear it keeps its count.
    ///
    /// Returns when each participant has answered, or its deadline has come. The participants are told even if the ceremony ends because its
    /// task was cancelled.
    func abort(within deadline: AbortDeadline = .standard) async {
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

    private func send(
        _ kind: CeremonyMessage.Kind, _ payload: [UInt8], to participant: any Participant
    ) async throws(CeremonyError) -> CeremonyMessage {
        let message = CeremonyMessage(
            kind: kind, sender: CeremonyMessage.coordinator, session: session, payload: payload)
        do throws(CeremonyError) {
            return try CeremonyMessage(decoding: try await participant.answer(message.encoded))
        } catch .threshold(let error) where error.accuses {
            // A participant's word against another's is not what this coordinator found itself.
            throw .accusation(error, by: participant.index)
        }
    }
}

extension ThresholdError {
    /// Whether it says of a participant of a signing session that it did something wrong.
    fileprivate var accuses: Bool {
        switch self {
        case .faulty, .cheating, .banned, .disagreement, .unauthentic: true
        default: false
        }
    }
}
