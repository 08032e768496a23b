import Amounts
import Bitcoin
import Ethereum
import HDKeys
import Payments
import SigningSession
import Synchronization
import Wallet

/// A payee.
enum Bob {
    static let address: Address<Checked> = {
        let script = ScriptPubKey(.p2wpkh(keyHash: [UInt8](repeating: 0xB0, count: 20)))
        guard let address = Address<Checked>(script, on: .regtest) else {
            preconditionFailure("a script has an address")
        }
        return address
    }()

    static func order(_ satoshis: UInt64, key: String? = nil) throws -> BitcoinOrder {
        try BitcoinOrder(
            paying: [.init(address, .exactly(try Amount(satoshis: satoshis)))], key: try key.map { try PaymentKey($0) },
            on: .regtest)
    }
}

extension BitcoinFee {
    static let test = BitcoinFee(ceiling: (try? Amount(satoshis: 50_000)) ?? .zero)
}

extension EthereumOrder {
    /// A tenth of an ether.
    static let test = EthereumOrder(paying: UInt256(100_000_000_000_000_000), to: address(0xB0))
    /// A smaller amount, to another payee.
    static let other = EthereumOrder(paying: UInt256(50_000_000_000_000_000), to: address(0xC0))

    private static func address(_ byte: UInt8) -> EthereumAddress {
        guard let address = try? EthereumAddress(bytes: [UInt8](repeating: byte, count: 20)) else {
            preconditionFailure("20 bytes are an address")
        }
        return address
    }
}

extension EthereumFee {
    /// At most a hundredth of an ether.
    static func test(_ priority: FeePriority) -> EthereumFee {
        EthereumFee(priority, ceiling: Wei(UInt256(10_000_000_000_000_000)))
    }
}

extension BitcoinPayments.Planning {
    var fresh: PlannedBitcoinPayment? { if case .fresh(let plan) = self { plan } else { nil } }
    var earlier: UnconfirmedTransaction? { if case .earlier(let transaction) = self { transaction } else { nil } }
}

extension EthereumPayments.Planning {
    var fresh: PlannedEthereumPayment? { if case .fresh(let plan) = self { plan } else { nil } }
}

/// Returns the error of a failed payment.
func failure(_ body: () async throws -> Void) async -> PaymentError? {
    do { try await body() } catch {
        return error as? PaymentError ?? (error as? SigningError).map(PaymentError.init)
    }
    return nil
}

/// The recorded durations, each with the clock's time then.
final class Told: Sendable {
    private let state = Mutex<[(Duration, Duration)]>([])
    var pairs: [(Duration, Duration)] { state.withLock(\.self) }
    func add(_ said: Duration, _ elapsed: Duration) { state.withLock { $0.append((said, elapsed)) } }
}
