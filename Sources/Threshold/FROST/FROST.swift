/// Threshold Schnorr signatures in two rounds: t of n participants sign, and the whole key never exists.
///
/// There are two protocols, because two kinds of verifier exist:
/// - ``BIP340`` makes BIP-340 signatures for Bitcoin, by BIP-445;
/// - ``Ed25519`` makes RFC 8032 signatures, by RFC 9591.
///
/// Both have the same steps, and their types keep them apart:
///
/// ```swift
/// // Each signer, round 1: sends `nonces.commitment`, keeps `nonces`.
/// let nonces = FROST.BIP340.Round1.commit(share, random: SystemRandom())
/// // The coordinator: chooses the signers, sends the package to them.
/// let signingPackage = try FROST.BIP340.SigningPackage(
///     group: group, commitments: commitments, tweaks: [], message: digest)
/// // Each signer, round 2: reads the package, uses up its nonces, sends the signature share.
/// let signatureShare = try FROST.BIP340.Round2.sign(signingPackage, with: share, nonces: nonces)
/// // The coordinator: a signature that verifies, or the names of those who prevented it.
/// let signature = try FROST.BIP340.aggregate(signatureShares, of: signingPackage, in: group)
/// ```
public enum FROST {
    /// BIP-445: FROST for BIP-340 signatures, with tweaks.
    public enum BIP340 {}

    /// RFC 9591: FROST(Ed25519, SHA-512).
    public enum Ed25519 {}
}

extension MessageKind {
    static let commitment = MessageKind(code: 0x10)
    static let signingPackage = MessageKind(code: 0x11)
    static let signatureShare = MessageKind(code: 0x12)
}
