internal import Crypto
internal import Encoding
public import Time

extension AccessToken {
    /// A token that a known key signed, from the expected issuer, for the expected audience, and not expired.
    ///
    /// Whether it is revoked was not checked, and it is useless without a proof by its device:
    /// ``DPoPProof/Presentation/accessToken(_:)``.
    public struct Verified: Sendable, Equatable {
        /// The claims of the token.
        public let token: AccessToken
        /// SHA-256 of the token's text: the `ath` of proofs.
        let hash: [UInt8]
    }

    /// A token with valid claims whose signature is not verified yet: ``verified()`` does that.
    ///
    /// A server that limits failed verifications checks the limit between the two.
    public struct Unverified: Sendable {
        /// The claims of the token. They are untrusted.
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
        ///   - issuer: the required `iss`, character for character.
        ///   - audience: the required `aud`.
        ///   - leeway: how long a token is still accepted after its expiry, for clocks that differ.
        public init(issuer: String, audience: String, keys: VerificationKeys, leeway: Timestamp.Span = .zero) {
            self.issuer = issuer
            self.audience = audience
            self.keys = keys
            self.leeway = leeway
        }

        /// Verifies the signature, the claims and the times of a token.
        ///
        /// - Throws: ``TokensError`` for an error in the form, a claim, the time, or the signature.
        public func verify(_ text: String, now: Timestamp) throws(TokensError) -> Verified {
            try read(text, now: now).verified()
        }

        /// Checks everything but the signature, whose verification costs more than all other checks.
        ///
        /// - Throws: ``TokensError`` for an error in the form, a claim, or the time.
        public func read(_ text: String, now: Timestamp) throws(TokensError) -> Unverified {
            // RFC 9068 section 4: `typ` is at+jwt; the token does not choose the algorithm.
            let jws = try CompactJWS(
                parsing: text, type: AccessToken.type, limit: TokensLimits.accessTokenCharacters)
            // A key inside the token is untrusted (as in CVE-2018-0114).
            guard jws.header["jwk"] == nil else { throw .forbiddenHeader }
            // The id is a thumbprint, so two keys never have the same id, and a key of another kind cannot have one.
            guard let id = jws.header["kid"]?.string, let thumbprint = try? KeyThumbprint(id),
                let key = keys[thumbprint]
            else { throw .unknownKey }
            let token = try AccessToken(try jws.uncheckedClaims())
            // RFC 9068 section 4: the issuer exactly, and this server as the audience.
            guard token.issuer.utf8.elementsEqual(issuer.utf8) else { throw .wrongClaim(.issuer) }
            guard token.audience.utf8.elementsEqual(audience.utf8) else { throw .wrongClaim(.audience) }
            // "The current time MUST be before the time represented by the `exp` claim."
            guard now < token.expiresAt.adding(leeway) else { throw .expired }
            return Unverified(uncheckedToken: token, hash: AccessToken.hash(of: text), jws: jws, key: key)
        }
    }

    /// Returns `ath`, the SHA-256 of the token's ASCII text (RFC 9449 section 4.2).
    static func hash(of text: String) -> [UInt8] { Array(SHA256.hash(data: Array(text.utf8))) }
}
