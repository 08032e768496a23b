internal import WebAuthn

extension ServerConfiguration {
    /// - Throws: ``StartupError/relyingParty``.
    var webAuthnRelyingParty: RelyingParty {
        get throws(StartupError) {
            do {
                let id = try RelyingPartyID(relyingParty.id)
                return try RelyingParty(
                    id: id, name: relyingParty.name,
                    origins: try relyingParty.origins.filter { !isForeign($0) }.map { try Origin($0) },
                    relatedOrigins: try relyingParty.origins.filter(isForeign).map { try Origin($0) },
                    embedding: .refused)
            } catch {
                throw .relyingParty
            }
        }
    }

    /// Whether it is a page of another domain: a related origin, for which browsers ask /.well-known/webauthn.
    private func isForeign(_ origin: String) -> Bool {
        guard let host = PublicURL(origin)?.host else { return false }
        return host != relyingParty.id && !host.hasSuffix(".\(relyingParty.id)")
    }
}
