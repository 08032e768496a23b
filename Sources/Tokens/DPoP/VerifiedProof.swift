public import Time

/// A proof after every check but the last: that it was not used before. Insert its ``replayValue`` into the store of
/// used values, in the same transaction as the action that the proof allows; it must be new there.
public struct VerifiedProof: Sendable, Equatable {
    /// The key that signed it, which identifies the device.
    public let thumbprint: KeyThumbprint
    /// The SHA-256 over the key, the `jti` and the URL: 32 bytes.
    public let replayValue: [UInt8]
    /// The time after which the value may be forgotten: then no replica accepts the proof, even if its clock is behind
    /// by ``TokensLimits/replicaSkew``.
    public let keepUntil: Timestamp
}

/// The response to a refused proof (RFC 9449 sections 5 and 8): the value of `error`.
public enum ProofRefusal: String, Sendable {
    /// Try again with the nonce in the header `DPoP-Nonce`.
    case useNonce = "use_dpop_nonce"
    /// The proof is not valid.
    case invalidProof = "invalid_dpop_proof"
}

extension TokensError {
    /// The response if a proof was refused with this error.
    public var proofRefusal: ProofRefusal { self == .nonceRequired ? .useNonce : .invalidProof }
}
