public import Curves

extension FROST.Ed25519 {
    public typealias Group = Curves.Ed25519
    /// Round 1's message, in this protocol's group.
    public typealias Commitment = FROST.Commitment<Curves.Ed25519>
    /// A signer's nonces, in this protocol's group.
    public typealias SigningNonces = FROST.SigningNonces<Curves.Ed25519>
    /// Round 2's message, in this protocol's group.
    public typealias SignatureShare = FROST.SignatureShare<Curves.Ed25519>
    package typealias CommitmentList = FROST.CommitmentList<Curves.Ed25519>
}
