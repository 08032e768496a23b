internal import Curves
internal import Secrets

@testable internal import Threshold

extension FuzzEntry {
    /// FROST's shares and messages, on both curves.
    static let frost: [FuzzEntry] =
        shares(of: Secp256k1.self, "secp256k1") + shares(of: Ed25519.self, "ed25519") + [
            FuzzEntry("signing-package-secp256k1", seeds: try SeedSigning.bip340.value.packages.map(\.encoded)) {
                try FROST.BIP340.SigningPackage(decoding: $0).encoded
            },
            FuzzEntry("signing-package-own-secp256k1", seeds: try SeedSigning.bip340.value.packages.map(\.encoded)) {
                let own = try SeedSigning.bip340.value.commitments[0]
                return try FROST.BIP340.SigningPackage(decoding: $0, own: own).encoded
            },
            FuzzEntry("aggregate-nonce", seeds: [try SeedSigning.aggregateNonce(), [UInt8](repeating: 0, count: 66)]) {
                try FROST.BIP340.AggregateNonce(decoding: $0).encoded
            },
            FuzzEntry("signing-package-ed25519", seeds: try SeedSigning.ed25519.value.packages.map(\.encoded)) {
                try FROST.Ed25519.SigningPackage(decoding: $0).encoded
            },
            FuzzEntry("signing-package-own-ed25519", seeds: try SeedSigning.ed25519.value.packages.map(\.encoded)) {
                let own = try SeedSigning.ed25519.value.commitments[0]
                return try FROST.Ed25519.SigningPackage(decoding: $0, own: own).encoded
            },
        ]

    /// Returns the decoders that every curve has.
    private static func shares<Group: Curve>(of _: Group.Type, _ curve: String) -> [FuzzEntry] {
        let key = Once { try SeedKey<Group>(2, of: 3) }
        let signing = Once { try key.value.sign() }
        return [
            FuzzEntry(
                "group-key-\(curve)", seeds: [try key.value.group.encoded, try SeedKey<Group>(3, of: 5).group.encoded]
            ) {
                try GroupKey<Group>(decoding: $0).encoded
            },
            FuzzEntry("key-share-\(curve)", seeds: try (1...3).map { exposed(try key.value.share($0).encoded()) }) {
                exposed(try KeyShare<Group>(decoding: secret($0)).encoded())
            },
            FuzzEntry("commitment-\(curve)", seeds: try signing.value.commitments.map(\.encoded)) {
                try FROST.Commitment<Group>(decoding: $0).encoded
            },
            FuzzEntry("signature-share-\(curve)", seeds: try signing.value.shares.map(\.encoded)) {
                try FROST.SignatureShare<Group>(decoding: $0).encoded
            },
        ]
    }
}

/// A key whose secret polynomial is known.
struct SeedKey<Group: Curve>: Sendable {
    let group: GroupKey<Group>
    private let seed: UInt64

    init(_ threshold: Int, of total: Int, seed: UInt64 = 1) throws {
        let parameters = try ThresholdParameters(threshold: threshold, total: total)
        let commitment = SecretPolynomial<Group>(threshold: threshold, from: SeedRandom(seed)).commitment()
        group = try GroupKey(
            parameters: parameters, publicKey: commitment.constant,
            verificationShares: parameters.indices.map(commitment.share(of:)))
        self.seed = seed
    }

    func share(_ index: Int) throws -> KeyShare<Group> {
        let polynomial = SecretPolynomial<Group>(threshold: group.parameters.threshold, from: SeedRandom(seed))
        let index = try ParticipantIndex(index)
        return try KeyShare(index: index, secret: polynomial.share(of: index), group: group)
    }

    /// Returns commitments and signature shares of participants 1 and 3, which make no signature.
    func sign() throws -> (commitments: [FROST.Commitment<Group>], shares: [FROST.SignatureShare<Group>]) {
        let points = [Scalar<Group>(7), Scalar(8)].map { Group.Point.generator.multipliedVariableTime(by: $0) }
        let indices = try [1, 3].map { try ParticipantIndex($0) }
        return (
            indices.map { FROST.Commitment(index: $0, hiding: points[0], binding: points[1]) },
            indices.map { FROST.SignatureShare(index: $0, value: Scalar(reducing: [UInt8](repeating: 9, count: 32))) }
        )
    }
}

/// The requests of a coordinator to participants 1 and 3.
struct SeedSigning<Group: Curve, Package: Sendable>: Sendable {
    let commitments: [FROST.Commitment<Group>]
    let packages: [Package]
}

extension SeedSigning where Group == Secp256k1, Package == FROST.BIP340.SigningPackage {
    static let bip340 = Once {
        let key = try SeedKey<Secp256k1>(2, of: 3)
        let commitments = try [1, 3].map {
            FROST.BIP340.Round1.commit(try key.share($0), random: SeedRandom(UInt64($0))).commitment
        }
        let tweaks: [FROST.BIP340.Tweak] = [.plain(Scalar(7)), .xOnly(Scalar(1_000_003))]
        return SeedSigning(
            commitments: commitments,
            packages: try [[], tweaks].map { tweaks in
                try FROST.BIP340.SigningPackage(
                    group: key.group, commitments: commitments, tweaks: tweaks,
                    message: [UInt8](repeating: 5, count: 32))
            })
    }

    static func aggregateNonce() throws -> [UInt8] {
        FROST.BIP340.AggregateNonce(try bip340.value.commitments).encoded
    }
}

extension SeedSigning where Group == Ed25519, Package == FROST.Ed25519.SigningPackage {
    static let ed25519 = Once {
        let key = try SeedKey<Ed25519>(2, of: 3)
        let commitments = try [1, 3].map {
            FROST.Ed25519.Round1.commit(try key.share($0), random: SeedRandom(UInt64($0))).commitment
        }
        return SeedSigning(
            commitments: commitments,
            packages: try [[], [1, 2, 3]].map { message in
                try FROST.Ed25519.SigningPackage(group: key.group, commitments: commitments, message: message)
            })
    }
}
