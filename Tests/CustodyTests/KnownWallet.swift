import Curves
import Secrets
import TestSupport
import Threshold
import Wallet

@testable import Custody

/// A wallet whose key is written down, as it never is in earnest: the polynomial's coefficients are one byte repeated.
struct KnownWallet: Sendable {
    let record: WalletRecord
    private let coefficients: [Scalar<Secp256k1>]

    /// - Parameter byte: of the key itself; the other coefficients are 0x11 more each.
    init(
        _ byte: UInt8 = 0x11, threshold: Int = 2, total: Int = 3, network: Network = .regtest, epoch: Int = 0
    ) throws {
        try self.init(
            (0..<threshold).map { try Scalar(canonical: [UInt8](repeating: byte &+ UInt8(0x11 * $0), count: 32)) },
            total: total, network: network, epoch: epoch)
    }

    private init(_ coefficients: [Scalar<Secp256k1>], total: Int, network: Network, epoch: Int) throws {
        let parameters = try ThresholdParameters(threshold: coefficients.count, total: total)
        let polynomial = PolynomialCommitment<Secp256k1>(
            uncheckedCoefficients: coefficients.map { SecretScalar<Secp256k1>($0).timesGenerator() })
        let group = try GroupKey<Secp256k1>(
            parameters: parameters, publicKey: polynomial.constant,
            verificationShares: parameters.indices.map(polynomial.share(of:)))
        let walletID = WalletRecord.walletID(of: group)
        self.coefficients = coefficients
        record = WalletRecord(
            name: try WalletName("known"), network: network, createdAt: 1_700_000_000, epoch: epoch, group: group,
            shares: parameters.indices.map { index in
                let location = ShareLocation(index: index.value)
                return ShareRecord(
                    id: ShareRecord.id(wallet: walletID, index: index.value, epoch: epoch), index: index.value,
                    location: location, path: "/shares/\(location.name).vault", createdAt: 1_700_000_000,
                    metadata: ShareRecord.Metadata(
                        threshold: parameters.threshold, total: total, curve: .secp256k1BIP340, epoch: epoch))
            })
    }

    /// The same key, shared by another polynomial, as after a renewal of the shares.
    func renewed() throws -> KnownWallet {
        var other = coefficients
        other[1] = other[1] + .one
        return try KnownWallet(other, total: record.group.parameters.total, network: record.network, epoch: 0)
    }

    func share(_ index: Int) throws -> KeyShare<Secp256k1> {
        let x = Scalar<Secp256k1>(UInt64(index))
        let secret = coefficients.reversed().reduce(Scalar<Secp256k1>.zero) { $0 * x + $1 }
        return try KeyShare(index: ParticipantIndex(index), secret: SecretScalar(secret), group: record.group)
    }

    /// A holder to whom this was confirmed.
    func holder(_ index: Int, of spend: ConfirmedSpend, on network: Network? = nil) throws -> SigningHolder {
        SigningHolder(
            share: try share(index), network: network ?? record.network, confirmed: spend.digest,
            random: SystemRandom())
    }

    func holders(_ indices: [Int], of spend: ConfirmedSpend) throws -> [any Holder] {
        try indices.map { try holder($0, of: spend) }
    }
}

/// A secret that a test knows, or looks at.
func secret(_ text: String) -> SecretBytes { secret([UInt8](text.utf8)) }

func secret(_ bytes: [UInt8]) -> SecretBytes {
    var bytes = bytes
    return SecretBytes(moving: &bytes)
}

func reveal(_ secret: borrowing SecretBytes) -> [UInt8] { secret.withUnsafeBytes { Array($0) } }

/// What an asynchronous call throws. (`#expect(throws:)` compares as well, but does not like values that cannot be copied.)
func failure<Value>(_ body: () async throws(CustodyError) -> Value) async -> CustodyError? {
    do {
        _ = try await body()
        return nil
    } catch {
        return error
    }
}
