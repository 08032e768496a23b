/// A request of the coordinator's, and the answer to it, in the one session that a participant takes part in.
struct Exchange {
    let session: CeremonyID
    private let request: CeremonyMessage

    /// - Parameter session: what the participant takes part in; nothing before it has answered a first request.
    /// - Throws: ``CeremonyError/malformedMessage``.
    init(decoding bytes: [UInt8], in session: CeremonyID?) throws(CeremonyError) {
        request = try CeremonyMessage(decoding: bytes)
        self.session = session ?? request.session
    }

    /// What was sent, if it is what this step waits for.
    ///
    /// - Throws: ``CeremonyError/staleMessage``.
    func payload(_ kind: CeremonyMessage.Kind) throws(CeremonyError) -> [UInt8] {
        try request.payload(of: kind, in: session, from: CeremonyMessage.coordinator)
    }

    /// Whether the coordinator gives the ceremony up.
    ///
    /// - Throws: ``CeremonyError/staleMessage``, ``CeremonyError/malformedMessage``.
    var isAbort: Bool {
        get throws(CeremonyError) {
            guard request.kind == .abort else { return false }
            guard try payload(.abort).isEmpty else { throw .malformedMessage }
            return true
        }
    }

    /// The answer, encoded.
    func answer(_ kind: CeremonyMessage.Kind, _ payload: [UInt8], by index: Int) -> [UInt8] {
        CeremonyMessage(kind: kind, sender: index, session: session, payload: payload).encoded
    }
}
