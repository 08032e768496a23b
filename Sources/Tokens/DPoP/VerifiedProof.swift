public import AuthAPI

/// A proof whose every step was checked but the last: that it was not seen before. Its ``replayValue`` has to be inserted into
/// the store of spent values, in the transaction of what the proof allows, and be new there.
public struct VerifiedProof: Sendable, Equatable {
    /// The key that signed it: the device.
    public let thumbprint: KeyThumbprint
    /// 32 bytes: SHA-256 over the key, the `jti` and the URL.
    public let replayValue: [UInt8]
    /// From when on the value may be forgotten: after that no replica accepts the proof, even if its clock is behind by
    /// ``TokensLimits/replicaSkew``.
    public let keepUntil: Timestamp
}

/// What a client is told of a refused proof (RFC 9449 sections 5 and 8): `error` in an answer.
public enum ProofRefusal: String, Sendable {
    /// Try again with the nonce in the header `DPoP-Nonce`.
    case useNonce = "use_dpop_nonce"
    /// The proof is not valid.
    case invalidProof = "invalid_dpop_proof"
}

extension TokensError {
    /// What to answer when a proof was refused with this error.
    public var proofRefusal: ProofRefusal { self == .nonceRequired ? .useNonce : .invalidProof }
}
