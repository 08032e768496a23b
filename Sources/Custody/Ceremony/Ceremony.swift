/// One run of a protocol, as its coordinator sees it: the holders, and the identity that all of its messages carry.
struct Ceremony {
    let holders: [any Holder]
    let session: SessionID

    /// Sends the same payload to each holder.
    ///
    /// - Returns: the payloads of the answers, in the holders' order.
    /// - Throws: ``CustodyError/malformedMessage`` or ``CustodyError/staleMessage`` for an answer that is not the one that
    ///   was asked for, and what a holder throws.
    func ask(
        _ kind: CeremonyMessage.Kind, _ payload: [UInt8], expecting answerKind: CeremonyMessage.Kind
    ) async throws(CustodyError) -> [[UInt8]] {
        let message = CeremonyMessage(
            kind: kind, sender: CeremonyMessage.coordinator, session: session, payload: payload
        ).encoded
        var answers: [[UInt8]] = []
        for holder in holders {
            let answer = try CeremonyMessage(decoding: try await holder.answer(message))
            answers.append(try answer.payload(of: answerKind, in: session, from: holder.index))
        }
        return answers
    }
}
