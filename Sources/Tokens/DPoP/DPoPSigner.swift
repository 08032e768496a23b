internal import Encoding
public import Secrets
public import Time

/// Makes proofs: the client's side of RFC 9449 section 4.2.
public struct DPoPSigner: Sendable {
    private let key: SigningKey

    /// Creates a signer of a device's key.
    public init(key: SigningKey) { self.key = key }

    /// The thumbprint by which servers know the device.
    public var thumbprint: KeyThumbprint { key.publicKey.thumbprint }

    /// Returns a proof for one request; each further attempt needs another proof.
    ///
    /// - Parameters:
    ///   - nonce: the server's latest nonce.
    ///   - accessToken: the token that the request carries.
    public func proof(
        method: String, url: ProofURL, nonce: String?, accessToken: String?, now: Timestamp, random: some RandomSource
    ) -> String {
        let draft = DPoPDraft(
            by: key.publicKey, method: method, url: url, nonce: nonce, accessToken: accessToken, now: now,
            random: random)
        return draft.proof(signature: key.signature(for: draft.signingInput))
    }
}

/// A proof that is signed elsewhere: in a secure enclave, a TPM, or another process.
public struct DPoPDraft: Sendable {
    /// The bytes to sign by ECDSA with SHA-256.
    public let signingInput: [UInt8]

    /// Prepares a proof, up to its signature.
    public init(
        by key: PublicJWK, method: String, url: ProofURL, nonce: String?, accessToken: String?, now: Timestamp,
        random: some RandomSource
    ) {
        let header: JSON = ["typ": .string(DPoPProof.type), "alg": "ES256", "jwk": key.json]
        let claims = JSON.object(with: [
            // Section 4.2: at least 96 random bits.
            "jti": .string(Base64URL.encode(random.publicBytes(count: 16))), "htm": .string(method),
            "htu": .string(url.description), "iat": JSON(now.seconds), "nonce": nonce.map(JSON.string),
            "ath": accessToken.map { .string(Base64URL.encode(AccessToken.hash(of: $0))) },
        ])
        signingInput = CompactJWS.signingInput(header: header, payload: claims.encoded)
    }

    /// Returns the value of the `DPoP` header.
    ///
    /// - Parameter signature: `r` and `s`, 32 bytes each.
    public func proof(signature: [UInt8]) -> String {
        String(decoding: CompactJWS.complete(signingInput, signature: signature), as: UTF8.self)
    }
}
