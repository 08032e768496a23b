public import Curves

extension FROST.Ed25519 {
    public typealias Group = Curves.Ed25519
    public typealias Commitment = FROST.Commitment<Curves.Ed25519>
    public typealias SigningNonces = FROST.SigningNonces<Curves.Ed25519>
    public typealias SignatureShare = FROST.SignatureShare<Curves.Ed25519>
    package typealias CommitmentList = FROST.CommitmentList<Curves.Ed25519>
}
