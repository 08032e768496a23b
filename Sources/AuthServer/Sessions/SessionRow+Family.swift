internal import AuthStore
internal import Time
package import Tokens

extension SessionRow {
    /// Creates the row of a session.
    ///
    /// - Parameter credential: the passkey that was used.
    init(_ family: RefreshFamily, credential: [UInt8]) {
        self.init(
            id: family.id, account: family.account, device: family.device, keyThumbprint: family.thumbprint.bytes,
            generation: family.generation, currentHash: family.currentHash, recent: family.recent.encoded,
            issuedAt: family.issuedAt, idleExpiresAt: family.idleExpiresAt, expiresAt: family.expiresAt,
            lastUsedAt: family.lastUsedAt, revokedAt: family.revocation?.at,
            revokedReason: family.revocation?.reason.rawValue, authTime: family.authentication.authenticatedAt,
            acr: family.authentication.acr, amr: family.authentication.amr, scope: family.scope.description,
            credential: credential)
    }

    /// The last sign-in of the session, as it was at that time.
    ///
    /// - Throws: `TokensError.damaged`.
    package var authentication: AuthenticationContext {
        get throws(TokensError) { try AuthenticationContext(acr: acr, amr: amr, authenticatedAt: authTime) }
    }

    /// The session as a family of refresh tokens.
    ///
    /// - Throws: ``StoreError/unexpectedColumn(_:)`` if the row has a value that this program never writes.
    var family: RefreshFamily {
        get throws {
            guard let thumbprint = KeyThumbprint(bytes: keyThumbprint) else { throw TokensError.damaged }
            let authentication = try authentication
            var revocation: RefreshFamily.Revocation?
            if let revokedAt {
                guard let reason = RefreshFamily.RevocationReason(rawValue: revokedReason ?? "") else {
                    throw TokensError.damaged
                }
                revocation = RefreshFamily.Revocation(at: revokedAt, reason: reason)
            }
            return try RefreshFamily(
                id: id, account: account, device: device, thumbprint: thumbprint, generation: generation,
                currentHash: currentHash, recent: try Rotations(decoding: recent), issuedAt: issuedAt,
                lastUsedAt: lastUsedAt, idleExpiresAt: idleExpiresAt, expiresAt: expiresAt, revocation: revocation,
                authentication: authentication, scope: try Scope(scope))
        }
    }
}
