/// A request of the coordinator's, and the answer to it, in the one session that a holder takes part in.
struct Exchange {
    private let request: CeremonyMessage
    private let session: SessionID

    /// - Parameter pinned: the session of the first request, which this sets; those that follow have to be of it.
    /// - Throws: ``CustodyError/malformedMessage``.
    init(decoding bytes: [UInt8], in pinned: inout SessionID?) throws(CustodyError) {
        request = try CeremonyMessage(decoding: bytes)
        session = pinned ?? request.session
        pinned = session
    }

    /// What was sent, if it is what this step waits for.
    ///
    /// - Throws: ``CustodyError/staleMessage``.
    func payload(_ kind: CeremonyMessage.Kind) throws(CustodyError) -> [UInt8] {
        try request.payload(of: kind, in: session, from: CeremonyMessage.coordinator)
    }

    /// The answer, encoded.
    func answer(_ kind: CeremonyMessage.Kind, _ payload: [UInt8], by index: Int) -> [UInt8] {
        CeremonyMessage(kind: kind, sender: index, session: session, payload: payload).encoded
    }
}
