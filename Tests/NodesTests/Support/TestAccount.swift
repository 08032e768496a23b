internal import Amounts
import Curves
internal import Ethereum
import Secrets
import Wallet

/// An account with a public private key.
enum TestAccount {
    static let chain = 31_337 as UInt64

    private static func key() throws -> SecretScalar<Secp256k1> {
        SecretScalar(try Scalar(canonical: [UInt8](repeating: 7, count: 32)))
    }

    static func address() throws -> EthereumAddress {
        EthereumAddress(publicKey: try key().timesGenerator())
    }

    static func sign(
        nonce: UInt64, to: EthereumAddress?, value: Wei = .zero, data: [UInt8] = [], gas: UInt64 = 21_000,
        fees: EthereumTransaction.Fees, chain: UInt64 = chain
    ) throws -> SignedEthereumTransaction {
        let transaction = try EthereumTransaction(
            chainID: try ChainID(chain), nonce: nonce, gasLimit: gas, to: to, value: value, data: data,
            kind: .dynamicFee(fees, []))
        return try .sign(transaction, key: try key(), sender: try address())
    }

    static func fees(_ tip: String = "1gwei", _ all: String = "10gwei") throws -> EthereumTransaction.Fees {
        EthereumTransaction.Fees(maxPriorityFeePerGas: try Wei(tip), maxFeePerGas: try Wei(all))
    }
}
