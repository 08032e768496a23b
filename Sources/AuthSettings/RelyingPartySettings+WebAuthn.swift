package import WebAuthn

extension ServerConfiguration {
    /// The settings as WebAuthn's relying party.
    ///
    /// - Throws: ``StartupError/relyingParty``.
    package var webAuthnRelyingParty: RelyingParty {
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

    /// Returns whether an origin belongs to another domain: a related origin, for which browsers read
    /// /.well-known/webauthn.
    private func isForeign(_ origin: String) -> Bool {
        guard let host = PublicURL(origin)?.host else { return false }
        return host != relyingParty.id && !host.hasSuffix(".\(relyingParty.id)")
    }
}
