internal import Crypto
internal import Encoding
public import Time

/// A proof that the sender of a request has a key (RFC 9449), and its verification.
public struct DPoPProof: Sendable {
    /// The value of `typ`.
    static let type = "dpop+jwt"

    /// The token with which the proof is presented.
    public enum Presentation: Sendable {
        /// No token: the request begins or renews a session. The family of a refresh token knows its own key.
        case alone
        /// The request has this access token: it must be bound to the proof's key, and the proof to the token.
        case accessToken(AccessToken.Verified)
        /// An access token whose signature the caller verifies before it trusts the token or the proof.
        case unverifiedAccessToken(AccessToken.Unverified)

        /// The SHA-256 of the access token, and the key to which it is bound.
        fileprivate var binding: (hash: [UInt8], device: KeyThumbprint)? {
            switch self {
            case .alone: nil
            case .accessToken(let verified): (verified.hash, verified.token.device)
            case .unverifiedAccessToken(let token): (token.hash, token.uncheckedToken.device)
            }
        }
    }

    /// How it is known that the proof is recent.
    public enum Timeliness: Sendable {
        /// The proof has a nonce of this server. The client's clock does not matter.
        case nonce(ProofNonces)
        /// The proof's time by the client's clock is within ``TokensLimits/proofAhead`` and ``TokensLimits/proofAge``.
        case clock
    }

    /// Verifies the value of a request's `DPoP` header. The caller checks that there is exactly one (step 1).
    ///
    /// - Parameters:
    ///   - method: the request's method, in upper case.
    ///   - url: the request's URL as the client knows it, not as a proxy passed it on.
    /// - Throws: ``TokensError``; ``TokensError/proofRefusal`` is the response.
    public static func verify(
        _ text: String, method: String, url: ProofURL, presentedWith presentation: Presentation,
        timeliness: Timeliness, now: Timestamp
    ) throws(TokensError) -> VerifiedProof {
        try read(
            text, method: method, url: url, presentedWith: presentation, timeliness: timeliness, now: now
        ).verified()
    }

    /// A proof that is right except for its signature, which is not verified yet: ``verified()`` does that.
    ///
    /// A server that limits failed verifications checks the limit between the two.
    public struct Unverified: Sendable {
        /// The key in the proof. It is unknown whether it signed the proof.
        public var uncheckedThumbprint: KeyThumbprint { key.thumbprint }
        fileprivate let jws: CompactJWS
        fileprivate let key: PublicJWK
        fileprivate let proof: VerifiedProof

        /// Verifies the signature: steps 2 and 6. - Throws: ``TokensError/badSignature``.
        public func verified() throws(TokensError) -> VerifiedProof {
            try jws.requireSignature(by: key)
            return proof
        }
    }

    /// Checks everything but the signature, the cheapest checks first. RFC 9449 section 4.3 requires every step and no
    /// order: a proof for another request, or without a nonce of this server, is refused before the cost of a
    /// verification.
    ///
    /// - Throws: ``TokensError``; ``TokensError/proofRefusal`` is the response.
    public static func read(
        _ text: String, method: String, url: ProofURL, presentedWith presentation: Presentation,
        timeliness: Timeliness, now: Timestamp
    ) throws(TokensError) -> Unverified {
        // RFC 9449 section 4.3. Steps 2, 4 and 5: a well-formed JWT, of this type, with an asymmetric algorithm.
        let jws = try CompactJWS(parsing: text, type: type, limit: TokensLimits.proofCharacters)
        guard let jwk = jws.header["jwk"] else { throw .malformed(.key) }
        let claims = try jws.uncheckedClaims()
        // Step 3: all required claims are present.
        let identifier = try claims.text(.identifier)
        guard (1...TokensLimits.proofIdentifierBytes).contains(identifier.utf8.count) else {
            throw .wrongClaim(.identifier)
        }
        let issuedAt = try claims.time(.issuedAt)
        // Step 8: the method of this request. RFC 9110 section 9.1: case matters.
        guard try claims.text(.method).utf8.elementsEqual(method.utf8) else { throw .wrongClaim(.method) }
        // Step 9: the URL of this request.
        guard url.matches(try claims.text(.url)) else { throw .wrongClaim(.url) }
        // Steps 10 and 11.
        let end = try Self.end(of: claims, issuedAt: issuedAt, timeliness: timeliness, now: now)
        // Step 12 a. The proof was made for this token.
        let binding = presentation.binding
        if let binding {
            guard let text = claims["ath"]?.string, let hash = try? Base64URL.decode(Array(text.utf8)[...]),
                hash == binding.hash
            else { throw .wrongClaim(.accessTokenHash) }
        }
        // Step 7: the key is a public one, and a point of the curve.
        let key = try PublicJWK(jwk)
        // Step 12 b. The token was made for this key.
        if let binding, binding.device != key.thumbprint { throw .wrongClaim(.confirmation) }
        return Unverified(
            jws: jws, key: key,
            proof: VerifiedProof(
                thumbprint: key.thumbprint,
                replayValue: replayValue(key.thumbprint, identifier: identifier, url: url),
                keepUntil: end.adding(TokensLimits.replicaSkew)))
    }

    /// Returns the time until which the proof would be accepted again.
    private static func end(
        of claims: JSON.Object, issuedAt: Timestamp, timeliness: Timeliness, now: Timestamp
    ) throws(TokensError) -> Timestamp {
        switch timeliness {
        case .nonce(let nonces):
            // Step 10: the nonce is this server's. Any other nonce counts as a missing one: the client gets a new one.
            guard let nonce = claims["nonce"]?.string, let end = nonces.end(of: nonce, now: now) else {
                throw .nonceRequired
            }
            // Step 11: "or contains a server-managed timestamp via the nonce". The nonce alone limits the proof's life
            // (section 11.1), so a wrong clock is no reason to refuse. A time beyond this bound is not one of a clock.
            guard max(issuedAt.since(now), now.since(issuedAt)) <= TokensLimits.proofClock else { throw .untimely }
            return end
        case .clock:
            // Step 11: made within an acceptable window.
            guard issuedAt <= now.adding(TokensLimits.proofAhead) else { throw .untimely }
            let end = issuedAt.adding(TokensLimits.proofAge)
            guard now < end else { throw .untimely }
            return end
        }
    }

    /// Returns the replay value. Section 11.1: a `jti` is used up for one URL, and only by the key that signed it.
    private static func replayValue(_ thumbprint: KeyThumbprint, identifier: String, url: ProofURL) -> [UInt8] {
        var text = Array("fueki dpop replay 1".utf8) + thumbprint.bytes
        // The length comes first, so that no `jti` can be read as the beginning of a longer one and its URL.
        text.append(UInt8(truncatingIfNeeded: identifier.utf8.count))
        text += identifier.utf8
        text += url.bytes
        return Array(SHA256.hash(data: text))
    }
}
