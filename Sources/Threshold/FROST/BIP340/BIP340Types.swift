public import Curves

extension FROST.BIP340 {
    public typealias Group = Secp256k1
    /// Round 1's message, in this protocol's group.
    public typealias Commitment = FROST.Commitment<Secp256k1>
    /// A signer's nonces, in this protocol's group.
    public typealias SigningNonces = FROST.SigningNonces<Secp256k1>
    /// Round 2's message, in this protocol's group.
    public typealias SignatureShare = FROST.SignatureShare<Secp256k1>
    package typealias CommitmentList = FROST.CommitmentList<Secp256k1>

    /// Returns BIP-445's identifier of a participant: it counts from 0, and our indices from 1. Both mean the same
    /// place on the polynomial, since the BIP interpolates at `id + 1`.
    package static func identifier(of index: ParticipantIndex) -> [UInt8] {
        bigEndian(UInt32(index.value - 1))
    }

    /// Returns `bytes(n, x)`: all bytes of the integer, most significant first.
    static func bigEndian<Value: FixedWidthInteger & UnsignedInteger>(_ value: Value) -> [UInt8] {
        withUnsafeBytes(of: value.bigEndian, Array.init)
    }

    /// Returns a hash as a scalar, modulo the group order (`scalar_from_bytes_wrapping`).
    static func hashToScalar(_ tag: String, _ input: [UInt8]) -> Scalar<Secp256k1> {
        Scalar(reducing: Curves.BIP340.taggedHash(tag, input))
    }
}
