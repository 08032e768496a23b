internal import Threshold

/// One run of a protocol, as its coordinator sees it: the holders, and the identity that all of its messages carry.
struct Ceremony {
    let holders: [any Holder]
    let session: SessionID

    /// Sends the same payload to each holder.
    ///
    /// - Returns: the payloads of the answers, in the holders' order.
    /// - Throws: ``CeremonyError/malformedMessage`` or ``CeremonyError/staleMessage`` for an answer that is not the one that
    ///   was asked for, and what a holder throws.
    func ask(
        _ kind: CeremonyMessage.Kind, _ payload: [UInt8], expecting answerKind: CeremonyMessage.Kind
    ) async throws(CeremonyError) -> [[UInt8]] {
        try await ask(
            kind, payloads: [[UInt8]](repeating: payload, count: holders.count), expecting: answerKind)
    }

    /// Sends each holder a payload of its own.
    ///
    /// - Parameter payloads: in the holders' order.
    func ask(
        _ kind: CeremonyMessage.Kind, payloads: [[UInt8]], expecting answerKind: CeremonyMessage.Kind
    ) async throws(CeremonyError) -> [[UInt8]] {
        precondition(payloads.count == holders.count, "one payload for each holder")
        var answers: [[UInt8]] = []
        for (holder, payload) in zip(holders, payloads) {
            let answer = try await send(kind, payload, to: holder)
            answers.append(try answer.payload(of: answerKind, in: session, from: holder.index))
        }
        return answers
    }

    /// Sends the same payload to each holder, each of which may answer with a complaint instead. After the first complaint
    /// no other holder is asked.
    ///
    /// - Returns: the answers, if there is no complaint; and who complains.
    func ask(
        _ kind: CeremonyMessage.Kind, _ payload: [UInt8], expecting answerKind: CeremonyMessage.Kind,
        orComplaint complaintKind: CeremonyMessage.Kind
    ) async throws(CeremonyError) -> (answers: [[UInt8]], complainant: (any Holder)?) {
        var answers: [[UInt8]] = []
        for holder in holders {
            let answer = try await send(kind, payload, to: holder)
            if answer.kind == complaintKind {
                guard try answer.payload(of: complaintKind, in: session, from: holder.index).isEmpty else {
                    throw .malformedMessage
                }
                return ([], holder)
            }
            answers.append(try answer.payload(of: answerKind, in: session, from: holder.index))
        }
        return (answers, nil)
    }

    /// Tells all holders at once that nothing more comes, so that they wipe what they keep of the session, and take back what they
    /// counted for it where that is safe. A holder that does not hear it keeps its count.
    ///
    /// Returns when each holder has answered, or its deadline has come. The holders are told even if the ceremony ends because its
    /// task was cancelled.
    func abort(within deadline: AbortDeadline = .standard) async {
        let tellings = holders.map { holder in
            let wait = Task { await deadline.wait() }
            let telling = Task {
                _ = try? await send(.abort, [], to: holder)
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
        _ kind: CeremonyMessage.Kind, _ payload: [UInt8], to holder: any Holder
    ) async throws(CeremonyError) -> CeremonyMessage {
        let message = CeremonyMessage(
            kind: kind, sender: CeremonyMessage.coordinator, session: session, payload: payload)
        do throws(CeremonyError) {
            return try CeremonyMessage(decoding: try await holder.answer(message.encoded))
        } catch .threshold(let error) where error.accuses {
            // A holder's word against another's is not what this coordinator found itself.
            throw .accusation(error, by: holder.index)
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
