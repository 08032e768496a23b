import Curves
import Secrets
import TestSupport
import Threshold
import ThresholdTestSupport

/// The common part of both protocols, so that one suite attacks both.
protocol SigningProtocol: Sendable {
    associatedtype Group: Curve
    associatedtype Package: Equatable

    static func commit(_ share: borrowing KeyShare<Group>, _ random: some RandomSource) -> FROST.SigningNonces<Group>
    static func commit(
        _ share: borrowing KeyShare<Group>, to message: [UInt8], in session: [UInt8], _ random: some RandomSource
    ) -> FROST.SigningNonces<Group>
    static func package(
        _ group: GroupKey<Group>, _ commitments: [FROST.Commitment<Group>], _ message: [UInt8]
    ) throws(ThresholdError) -> Package
    static func sign(
        _ package: Package, _ share: borrowing KeyShare<Group>, _ nonces: consuming FROST.SigningNonces<Group>
    ) throws(ThresholdError) -> FROST.SignatureShare<Group>
    static func aggregate(
        _ shares: [FROST.SignatureShare<Group>], _ package: Package, _ group: GroupKey<Group>
    ) throws(ThresholdError) -> [UInt8]
    static func isValid(
        _ share: FROST.SignatureShare<Group>, _ package: Package, _ group: GroupKey<Group>
    ) throws(ThresholdError) -> Bool
    static func verifies(_ signature: [UInt8], _ message: [UInt8], _ group: GroupKey<Group>) -> Bool
    static func encode(_ package: Package) -> [UInt8]
    static func decode(_ bytes: [UInt8]) throws(ThresholdError) -> Package
    static func decode(_ bytes: [UInt8], own: FROST.Commitment<Group>) throws(ThresholdError) -> Package
}

/// BIP-445, always with a plain and an x-only tweak, since wallets sign that way.
enum BIP340UnderTest: SigningProtocol {
    typealias Group = Secp256k1
    static let tweaks: [FROST.BIP340.Tweak] = [.plain(Scalar(7)), .xOnly(Scalar(1_000_003))]

    static func commit(
        _ share: borrowing KeyShare<Group>, _ random: some RandomSource
    ) -> FROST.SigningNonces<Group> { FROST.BIP340.Round1.commit(share, random: random) }

    static func commit(
        _ share: borrowing KeyShare<Group>, to message: [UInt8], in session: [UInt8], _ random: some RandomSource
    ) -> FROST.SigningNonces<Group> {
        FROST.BIP340.Round1.commit(share, to: message, in: session, random: random)
    }

    static func package(
        _ group: GroupKey<Group>, _ commitments: [FROST.Commitment<Group>], _ message: [UInt8]
    ) throws(ThresholdError) -> FROST.BIP340.SigningPackage {
        try FROST.BIP340.SigningPackage(group: group, commitments: commitments, tweaks: tweaks, message: message)
    }

    static func sign(
        _ package: FROST.BIP340.SigningPackage, _ share: borrowing KeyShare<Group>,
        _ nonces: consuming FROST.SigningNonces<Group>
    ) throws(ThresholdError) -> FROST.SignatureShare<Group> {
        try FROST.BIP340.Round2.sign(package, with: share, nonces: nonces)
    }

    static func aggregate(
        _ shares: [FROST.SignatureShare<Group>], _ package: FROST.BIP340.SigningPackage, _ group: GroupKey<Group>
    ) throws(ThresholdError) -> [UInt8] { try FROST.BIP340.aggregate(shares, of: package, in: group) }

    static func isValid(
        _ share: FROST.SignatureShare<Group>, _ package: FROST.BIP340.SigningPackage, _ group: GroupKey<Group>
    ) throws(ThresholdError) -> Bool { try FROST.BIP340.isValid(share, of: package, in: group) }

    static func verifies(_ signature: [UInt8], _ message: [UInt8], _ group: GroupKey<Group>) -> Bool {
        guard let key = try? FROST.BIP340.TweakedKey(group.publicKey, tweaks: tweaks) else { return false }
        return BIP340.isValid(signature: signature, message: message, publicKey: key.xOnly)
    }

    static func encode(_ package: FROST.BIP340.SigningPackage) -> [UInt8] { package.encoded }

    static func decode(_ bytes: [UInt8]) throws(ThresholdError) -> FROST.BIP340.SigningPackage {
        try FROST.BIP340.SigningPackage(decoding: bytes)
    }
    static func decode(
        _ bytes: [UInt8], own: FROST.Commitment<Group>
    ) throws(ThresholdError) -> FROST.BIP340.SigningPackage {
        try FROST.BIP340.SigningPackage(decoding: bytes, own: own)
    }
}

/// RFC 9591.
enum Ed25519UnderTest: SigningProtocol {
    typealias Group = Ed25519

    static func commit(
        _ share: borrowing KeyShare<Group>, _ random: some RandomSource
    ) -> FROST.SigningNonces<Group> { FROST.Ed25519.Round1.commit(share, random: random) }

    static func commit(
        _ share: borrowing KeyShare<Group>, to message: [UInt8], in session: [UInt8], _ random: some RandomSource
    ) -> FROST.SigningNonces<Group> {
        FROST.Ed25519.Round1.commit(share, to: message, in: session, random: random)
    }

    static func package(
        _ group: GroupKey<Group>, _ commitments: [FROST.Commitment<Group>], _ message: [UInt8]
    ) throws(ThresholdError) -> FROST.Ed25519.SigningPackage {
        try FROST.Ed25519.SigningPackage(group: group, commitments: commitments, message: message)
    }

    static func sign(
        _ package: FROST.Ed25519.SigningPackage, _ share: borrowing KeyShare<Group>,
        _ nonces: consuming FROST.SigningNonces<Group>
    ) throws(ThresholdError) -> FROST.SignatureShare<Group> {
        try FROST.Ed25519.Round2.sign(package, with: share, nonces: nonces)
    }

    static func aggregate(
        _ shares: [FROST.SignatureShare<Group>], _ package: FROST.Ed25519.SigningPackage, _ group: GroupKey<Group>
    ) throws(ThresholdError) -> [UInt8] { try FROST.Ed25519.aggregate(shares, of: package, in: group) }

    static func isValid(
        _ share: FROST.SignatureShare<Group>, _ package: FROST.Ed25519.SigningPackage, _ group: GroupKey<Group>
    ) throws(ThresholdError) -> Bool { try FROST.Ed25519.isValid(share, of: package, in: group) }

    static func verifies(_ signature: [UInt8], _ message: [UInt8], _ group: GroupKey<Group>) -> Bool {
        EdDSA.isValid(signature: signature, message: message, publicKey: group.publicKey.encoded)
    }

    static func encode(_ package: FROST.Ed25519.SigningPackage) -> [UInt8] { package.encoded }

    static func decode(_ bytes: [UInt8]) throws(ThresholdError) -> FROST.Ed25519.SigningPackage {
        try FROST.Ed25519.SigningPackage(decoding: bytes)
    }
    static func decode(
        _ bytes: [UInt8], own: FROST.Commitment<Group>
    ) throws(ThresholdError) -> FROST.Ed25519.SigningPackage {
        try FROST.Ed25519.SigningPackage(decoding: bytes, own: own)
    }
}

/// One signer with its share, and its nonces between the rounds.
final class Signer<Scheme: SigningProtocol> {
    let share: KeyShare<Scheme.Group>
    private var nonces: FROST.SigningNonces<Scheme.Group>?

    init(_ share: consuming KeyShare<Scheme.Group>) { self.share = share }

    func commit(_ random: some RandomSource) -> FROST.Commitment<Scheme.Group> {
        let fresh = Scheme.commit(share, random)
        let commitment = fresh.commitment
        nonces = consume fresh
        return commitment
    }

    /// The nonces are taken out before the call: they cannot be passed in another way.
    func sign(_ package: Scheme.Package) throws(ThresholdError) -> FROST.SignatureShare<Scheme.Group> {
        guard let nonces = nonces.take() else { preconditionFailure("no nonces left") }
        return try Scheme.sign(package, share, nonces)
    }
}

/// Some signers of a dealt key after round 1.
struct Signing<Scheme: SigningProtocol> {
    let group: GroupKey<Scheme.Group>
    let signers: [Signer<Scheme>]
    let commitments: [FROST.Commitment<Scheme.Group>]
    let message: [UInt8]

    init(_ threshold: Int, of total: Int, by indices: [Int], random: SeededRandom, message: [UInt8]? = nil) throws {
        let parameters = try ThresholdParameters(threshold: threshold, total: total)
        let dealer = try TrustedDealerForTesting<Scheme.Group>(parameters: parameters, random: random)
        group = dealer.group
        signers = try indices.map { Signer(try dealer.share(of: ParticipantIndex($0))) }
        commitments = signers.map { $0.commit(random) }
        self.message = message ?? random.publicBytes(count: 32)
    }

    func package() throws -> Scheme.Package { try Scheme.package(group, commitments, message) }

    func shares(_ package: Scheme.Package) throws -> [FROST.SignatureShare<Scheme.Group>] {
        try signers.map { try $0.sign(package) }
    }
}
