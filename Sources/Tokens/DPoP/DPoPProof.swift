public import AuthAPI
internal import Crypto
internal import Encoding

/// A proof that a request comes from whoever holds a key (RFC 9449), and how it is verified.
public struct DPoPProof: Sendable {
    /// `typ`
    static let type = "dpop+jwt"

    /// What the proof is presented with.
    public enum Presentation: Sendable {
        /// Nothing: the request is one that makes a session, or renews it. A refresh token's family knows its own key.
        case alone
        /// An access token, which must be bound to the proof's key, and the proof to it.
        case accessToken(AccessToken.Verified)
    }

    /// How it is known that the proof was made lately.
    public enum Timeliness: Sendable {
        /// By a nonce that this server handed out. The client's clock is not asked.
        case nonce(ProofNonces)
        /// By the client's clock: ``TokensLimits/proofAhead``, ``TokensLimits/proofAge``.
        case clock
    }

    /// Verifies the value of the one `DPoP` header that a request has (step 1 is the caller's: there must not be two).
    ///
    /// - Parameters:
    ///   - method: of the request, in upper case.
    ///   - url: where the request went, as the client knows it, not as a proxy passed it on.
    /// - Throws: ``TokensError``; ``TokensError/proofRefusal`` says what to answer.
    public static func verify(
        _ text: String, method: String, url: ProofURL, presentedWith presentation: Presentation,
        timeliness: Timeliness, now: Timestamp
    ) throws(TokensError) -> VerifiedProof {
        // RFC 9449 section 4.3. Steps 2, 4 and 5: a well-formed JWT, of this type, with an asymmetric algorithm.
        let jws = try CompactJWS(parsing: text, type: type, limit: TokensLimits.proofCharacters)
        // Step 7: the key is a public one.
        guard let jwk = jws.header["jwk"] else { throw .malformed(.key) }
        let key = try PublicJWK(jwk)
        // Steps 2 and 6: the key in the header signed it.
        let claims = try jws.claims(signedBy: key)
        // Step 3: the required claims are there.
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
        // Step 12
        if case .accessToken(let verified) = presentation {
            // a. The proof was made for this token,
            guard let text = claims["ath"]?.string, let hash = try? Base64URL.decode(Array(text.utf8)[...]),
                hash == verified.hash
            else { throw .wrongClaim(.accessTokenHash) }
            // b. and the token for this key.
            guard verified.token.device == key.thumbprint else { throw .wrongClaim(.confirmation) }
        }
        return VerifiedProof(
            thumbprint: key.thumbprint,
            replayValue: replayValue(key.thumbprint, identifier: identifier, url: url),
            keepUntil: end.adding(TokensLimits.replicaSkew))
    }

    /// Until when the proof would be accepted again.
    private static func end(
        of claims: JSON.Object, issuedAt: Timestamp, timeliness: Timeliness, now: Timestamp
    ) throws(TokensError) -> Timestamp {
        switch timeliness {
        case .nonce(let nonces):
            // Step 10: the nonce is ours. One that is not is answered as none: the client is given a new one.
            guard let nonce = claims["nonce"]?.string, let end = nonces.end(of: nonce, now: now) else {
                throw .nonceRequired
            }
            // Step 11: "or contains a server-managed timestamp via the nonce".
            return end
        case .clock:
            // Step 11: made within an acceptable window.
            guard issuedAt <= now.adding(TokensLimits.proofAhead) else { throw .untimely }
            let end = issuedAt.adding(TokensLimits.proofAge)
            guard now < end else { throw .untimely }
            return end
        }
    }

    /// Section 11.1: a `jti` is spent for one URL, and only by the key that signed it.
    private static func replayValue(_ thumbprint: KeyThumbprint, identifier: String, url: ProofURL) -> [UInt8] {
        var hash = SHA256()
        hash.update(data: Array("fueki dpop replay 1".utf8))
        hash.update(data: thumbprint.bytes)
        // Its length in front: no `jti` can be taken for the beginning of a longer one and its URL.
        hash.update(data: [UInt8(truncatingIfNeeded: identifier.utf8.count)] + Array(identifier.utf8))
        hash.update(data: url.bytes)
        return Array(hash.finalize())
    }
}
