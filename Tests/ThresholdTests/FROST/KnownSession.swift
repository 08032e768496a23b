import Curves
import Secrets
import Threshold

/// A 2-of-3 key and two signers' nonces in the source, for golden bytes and known answers.
///
/// Secrets are one byte repeated; on edwards25519 the last byte, which is the highest, is 1, so that they are reduced.
struct KnownSession<Group: Curve> {
    let group: GroupKey<Group>
    let coefficients: [UInt8] = [0x11, 0x22]
    let signers = [1, 3]

    init() throws {
        let polynomial = try PolynomialCommitment<Group>(
            uncheckedCoefficients: coefficients.map { try Self.secret($0).timesGenerator() })
        let parameters = try ThresholdParameters(threshold: 2, total: 3)
        group = try GroupKey(
            parameters: parameters, publicKey: polynomial.constant,
            verificationShares: parameters.indices.map(polynomial.share(of:)))
    }

    static func bytes(_ byte: UInt8) -> [UInt8] {
        [UInt8](repeating: byte, count: 31) + [Group.self == Ed25519.self ? 1 : byte]
    }

    static func secret(_ byte: UInt8) throws -> SecretScalar<Group> { try SecretScalar(canonical: fill(bytes(byte))) }

    static func fill(_ bytes: [UInt8]) -> SecretBytes {
        var bytes = bytes
        return SecretBytes(moving: &bytes)
    }

    /// f(i) = a₀ + a₁·i
    func share(_ index: Int) throws -> KeyShare<Group> {
        let index = try ParticipantIndex(index)
        let slope = try Self.secret(coefficients[1]) * index.scalar()
        return try KeyShare(index: index, secret: try Self.secret(coefficients[0]) + slope, group: group)
    }

    /// 0x31 and 0x32 for signer 1, 0x33 and 0x34 for signer 3.
    func nonces(_ index: Int) throws -> FROST.SigningNonces<Group> {
        let byte = UInt8(0x30 + index)
        return try FROST.SigningNonces(
            forTestingIndex: ParticipantIndex(index), hiding: try Self.secret(byte),
            binding: try Self.secret(byte + 1))
    }

    func commitments() throws -> [FROST.Commitment<Group>] { try signers.map { try nonces($0).commitment } }
}
