internal import Amounts
internal import Curves
internal import Ethereum
internal import Secrets

/// The Ethereum benchmarks: hashing, signing with one key, and decoding signed transactions.
final class EthereumBench: Sendable {
    private let key: SecretScalar<Secp256k1>
    private let sender: EthereumAddress
    private let recipient: EthereumAddress
    private let data = [UInt8](repeating: 7, count: 1 << 20)
    /// A hundred signed transactions.
    private let encoded: [[UInt8]]

    init() throws {
        let key = SecretScalar<Secp256k1>(from: SystemRandom())
        let sender = EthereumAddress(publicKey: Secp256k1.generator(times: key))
        let recipient = try EthereumAddress(bytes: [UInt8](repeating: 0x35, count: EthereumAddress.size))
        var encoded: [[UInt8]] = []
        for nonce in 0..<100 {
            encoded.append(try Self.signed(UInt64(nonce), key: key, to: recipient, from: sender).encoded)
        }
        (self.sender, self.recipient, self.encoded) = (sender, recipient, encoded)
        self.key = key
    }

    /// Hashes one MiB: 1,048,576 divided by the median in microseconds is the speed in MB/s.
    func hash() { _ = Keccak256.hash(data) }

    /// Builds a transfer, hashes it, signs it, verifies the signature, and encodes it.
    func sign(round: Int) throws { _ = try Self.signed(UInt64(round), key: key, to: recipient, from: sender).encoded }

    private static func signed(
        _ nonce: UInt64, key: borrowing SecretScalar<Secp256k1>, to recipient: EthereumAddress,
        from sender: EthereumAddress
    ) throws -> SignedEthereumTransaction {
        let fees = EthereumTransaction.Fees(
            maxPriorityFeePerGas: Wei(UInt256(1_000_000_000)), maxFeePerGas: Wei(UInt256(30_000_000_000)))
        let transaction = try EthereumTransaction(
            chainID: .ethereum, nonce: nonce, gasLimit: 21_000, to: recipient,
            value: Wei(UInt256(100_000_000_000_000_000)), data: [], kind: .dynamicFee(fees, []))
        return try .sign(transaction, key: key, sender: sender)
    }

    /// Decodes 10,000 signed transactions, a hundred of them again and again, and recovers the sender of each.
    func decode() throws {
        for round in 0..<10_000 {
            let transaction = try SignedEthereumTransaction(decoding: encoded[round % encoded.count])
            guard transaction.sender == sender else { throw EthereumError.wrongSigner }
        }
    }
}
