public import AuthAPI
internal import Crypto
internal import Encoding

extension AccessToken {
    /// A token that a known key signed, from the expected issuer, for the expected audience, and not expired.
    ///
    /// It was not asked whether it is revoked, and it is worth nothing without a proof by its device:
    /// ``DPoPProof/Presentation/accessToken(_:)``.
    public struct Verified: Sendable, Equatable {
        /// The claims of the token.
        public let token: AccessToken
        /// SHA-256 of the token's text: the `ath` of proofs.
        let hash: [UInt8]
    }

    /// A token that says the right things, whose signature was not verified: ``verified()`` does it.
    ///
    /// A server that counts failed verifications looks at its count between the two.
    public struct Unverified: Sendable {
        /// What the token says. Anybody could have written it.
        public let uncheckedToken: AccessToken
        let hash: [UInt8]
        fileprivate let jws: CompactJWS
        fileprivate let key: PublicJWK

        /// Verifies the signature. - Throws: ``TokensError/badSignature``.
        public func verified() throws(TokensError) -> Verified {
            try jws.requireSignature(by: key)
            return Verified(token: uncheckedToken, hash: hash)
        }
    }

    /// Verifies access tokens (RFC 9068 section 4).
    public struct Verifier: Sendable {
        private let issuer: String
        private let audience: String
        private let keys: VerificationKeys
        private let leeway: Timestamp.Span

        /// Creates a verifier for the tokens of one issuer.
        ///
        /// - Parameters:
        ///   - issuer: what `iss` must be, character for character.
        ///   - audience: what `aud` must be.
        ///   - leeway: how long after its end a token is still accepted, for clocks that differ.
        public init(issuer: String, audience: String, keys: VerificationKeys, leeway: Timestamp.Span = .seconds(0)) {
            self.issuer = issuer
            self.audience = audience
            self.keys = keys
            self.leeway = leeway
        }

        /// Verifies the signature, the claims and the times of a token.
        ///
        /// - Throws: ``TokensError``: what is wrong with the form, a claim, the time, or the signature.
        public func verify(_ text: String, now: Timestamp) throws(TokensError) -> Verified {
            try read(text, now: now).verified()
        }

        /// Checks all of a token but its signature, which costs more than all the rest.
        ///
        /// - Throws: ``TokensError``: what is wrong with the form, a claim, or the time.
        public func read(_ text: String, now: Timestamp) throws(TokensError) -> Unverified {
            // RFC 9068 section 4: `typ` is at+jwt; an algorithm is not up to the token.
            let jws = try CompactJWS(
                parsing: text, type: AccessToken.type, limit: TokensLimits.accessTokenCharacters)
            // A key that the token brings along is nobody's (as in CVE-2018-0114).
            guard jws.header["jwk"] == nil else { throw .forbiddenHeader }
            // The id is a thumbprint, so that no two keys can have the same, and a key of another kind cannot have one.
            guard let id = jws.header["kid"]?.string, let thumbprint = try? KeyThumbprint(id),
                let key = keys[thumbprint]
            else { throw .unknownKey }
            let token = try AccessToken(try jws.uncheckedClaims())
            // RFC 9068 section 4: the issuer exactly, the audience ourselves.
            guard token.issuer.utf8.elementsEqual(issuer.utf8) else { throw .wrongClaim(.issuer) }
            guard token.audience.utf8.elementsEqual(audience.utf8) else { throw .wrongClaim(.audience) }
            // "The current time MUST be before the time represented by the `exp` claim."
            guard now < token.expiresAt.adding(leeway) else { throw .expired }
            return Unverified(uncheckedToken: token, hash: AccessToken.hash(of: text), jws: jws, key: key)
        }
    }

    /// RFC 9449 section 4.2, `ath`: SHA-256 of the ASCII of the token.
    static func hash(of text: String) -> [UInt8] { Array(SHA256.hash(data: Array(text.utf8))) }
}
