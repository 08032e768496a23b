/// A request of the coordinator and its answer, in the one session of a participant.
struct Exchange {
    let session: CeremonyID
    private let request: CeremonyMessage

    /// - Parameter session: the participant's session; nil before it has answered a first request.
    /// - Throws: ``CeremonyError/malformedMessage``.
    init(decoding bytes: [UInt8], in session: CeremonyID?) throws(CeremonyError) {
        request = try CeremonyMessage(decoding: bytes)
        self.session = session ?? request.session
    }

    /// Returns the payload, if this step waits for it.
    ///
    /// - Throws: ``CeremonyError/staleMessage``.
    func payload(_ kind: CeremonyMessage.Kind) throws(CeremonyError) -> [UInt8] {
        try request.payload(of: kind, in: session, from: CeremonyMessage.coordinator)
    }

    /// Whether the coordinator gives up the ceremony.
    ///
    /// - Throws: ``CeremonyError/staleMessage``, ``CeremonyError/malformedMessage``.
    var isAbort: Bool {
        get throws(CeremonyError) {
            guard request.kind == .abort else { return false }
            guard try payload(.abort).isEmpty else { throw .malformedMessage }
            return true
        }
    }

    /// Returns the encoded answer.
    func answer(_ kind: CeremonyMessage.Kind, _ payload: [UInt8], by index: Int) -> [UInt8] {
        CeremonyMessage(kind: kind, sender: index, session: session, payload: payload).encoded
    }
}
