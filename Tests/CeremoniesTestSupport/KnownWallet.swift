import Curves
internal import HDKeys
import Secrets
import TestSupport
import Threshold
import Wallet

@testable import Ceremonies
@testable import ThresholdECDSA

/// A wallet whose keys are in the source, which never happens outside of tests: the Schnorr polynomial's coefficients
/// are one byte repeated, those of the other keys small numbers.
struct KnownWallet: Sendable {
    let keys: WalletKeys
    let epoch: Int
    private let schnorr: KnownKey<Secp256k1>
    private let ecdsa: KnownKey<Secp256k1>
    private let ed25519: KnownKey<Ed25519>

    /// - Parameter byte: the byte of the Schnorr key itself; each further coefficient is 0x11 more.
    init(
        _ byte: UInt8 = 0x11, threshold: Int = 2, total: Int = 3, network: Network = .regtest, epoch: Int = 0
    ) throws {
        let parameters = try ThresholdParameters(threshold: threshold, total: total)
        try self.init(
            schnorr: KnownKey(
                (0..<threshold).map { try Scalar(canonical: [UInt8](repeating: byte &+ UInt8(0x11 * $0), count: 32)) },
                parameters),
            ecdsa: KnownKey((0..<threshold).map { Scalar(UInt64(byte) * 1_000 + UInt64($0)) }, parameters),
            ed25519: KnownKey((0..<threshold).map { Scalar(UInt64(byte) * 1_000 + UInt64($0)) }, parameters),
            network: network, epoch: epoch)
    }

    private init(
        schnorr: KnownKey<Secp256k1>, ecdsa: KnownKey<Secp256k1>, ed25519: KnownKey<Ed25519>, network: Network,
        epoch: Int
    ) throws {
        (self.schnorr, self.ecdsa, self.ed25519) = (schnorr, ecdsa, ed25519)
        let groups = try GroupKeys(schnorr: schnorr.group, ecdsa: ecdsa.group, ed25519: ed25519.group)
        keys = WalletKeys(groups, on: network, imported: nil)
        self.epoch = epoch
    }

    /// Returns the same keys shared by other polynomials, as after a renewal.
    func renewed(epoch: Int = 0) throws -> KnownWallet {
        try KnownWallet(
            schnorr: schnorr.renewed(), ecdsa: ecdsa.renewed(), ed25519: ed25519.renewed(), network: keys.network,
            epoch: epoch)
    }

    /// The share of the Schnorr key.
    func share(_ index: Int) throws -> KeyShare<Secp256k1> { try schnorr.share(index) }

    /// Returns the shares of all keys. As if all other participants had cheated, they contain no pairs for ECDSA.
    func shares(_ index: Int) throws -> KeyShares {
        try KeyShares(
            schnorr: schnorr.share(index),
            ecdsa: ECDSA.KeyShare(
                key: ecdsa.share(index), epoch: epoch, setup: [UInt8](repeating: 0x5E, count: 32), pairs: []),
            ed25519: ed25519.share(index))
    }

    /// Returns a participant to whom this payload was confirmed.
    func participant(
        _ index: Int, of spend: ConfirmedPayload, on network: Network? = nil, ledger: (any SigningLedger)? = nil
    ) throws -> SigningParticipant {
        SigningParticipant(
            keys: try shares(index), network: network ?? keys.network, imported: keys.imported,
            authorizer: ConfirmedIntent(spend.digest, asking: PolicyAuthorizer(now: 0)), ledger: ledger,
            random: SystemRandom())
    }

    func participants(_ indices: [Int], of spend: ConfirmedPayload) throws -> [any Participant] {
        try indices.map { try participant($0, of: spend) }
    }
}

/// A key whose polynomial is known.
struct KnownKey<Group: Curve>: Sendable {
    let group: GroupKey<Group>
    private let coefficients: [Scalar<Group>]

    init(_ coefficients: [Scalar<Group>], _ parameters: ThresholdParameters) throws {
        let polynomial = PolynomialCommitment<Group>(
            uncheckedCoefficients: coefficients.map { SecretScalar<Group>($0).timesGenerator() })
        self.coefficients = coefficients
        group = try GroupKey(
            parameters: parameters, publicKey: polynomial.constant,
            verificationShares: parameters.indices.map(polynomial.share(of:)))
    }

    func renewed() throws -> KnownKey {
        var other = coefficients
        other[1] = other[1] + .one
        return try KnownKey(other, group.parameters)
    }

    func share(_ index: Int) throws -> KeyShare<Group> {
        let x = Scalar<Group>(UInt64(index))
        let secret = coefficients.reversed().reduce(Scalar<Group>.zero) { $0 * x + $1 }
        return try KeyShare(index: ParticipantIndex(index), secret: SecretScalar(secret), group: group)
    }
}

/// Returns a secret for a test that knows it.
func secret(_ text: String) -> SecretBytes { secret([UInt8](text.utf8)) }

func secret(_ bytes: [UInt8]) -> SecretBytes {
    var bytes = bytes
    return SecretBytes(moving: &bytes)
}

func reveal(_ secret: borrowing SecretBytes) -> [UInt8] { secret.withUnsafeBytes { Array($0) } }

/// Returns the error of an asynchronous call. (`#expect(throws:)` compares as well, but does not accept noncopyable
/// values.)
func failure<Value>(_ body: () async throws(CeremonyError) -> Value) async -> CeremonyError? {
    do {
        _ = try await body()
        return nil
    } catch {
        return error
    }
}
