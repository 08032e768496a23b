internal import Amounts
internal import Curves
internal import Encoding
internal import Ethereum
internal import Foundation
internal import Secrets

/// The Ethereum benchmarks: hashing, signing with one key, and decoding signed transactions.
final class EthereumBench: Sendable {
    private let key: SecretScalar<Secp256k1>
    private let sender: EthereumAddress
    private let recipient: EthereumAddress
    private let data = [UInt8](repeating: 7, count: 1 << 20)
    /// The path of a file with 10,000 signed transactions, one per line.
    private let file: String
    private static let transactions = 10_000

    init(folder: String) throws {
        key = SecretScalar(from: SystemRandom())
        sender = EthereumAddress(publicKey: Secp256k1.generator(times: key))
        recipient = try EthereumAddress(bytes: [UInt8](repeating: 0x35, count: EthereumAddress.size))
        file = "\(folder)/transactions.txt"
    }

    /// Hashes one MiB: 1,048,576 divided by the median in microseconds is the speed in MB/s.
    func hash() { _ = Keccak256.hash(data) }

    /// Builds a transfer, hashes it, signs it, verifies the signature, and encodes it.
    func sign(round: Int) throws { _ = try signed(UInt64(round)).encoded }

    private func signed(_ nonce: UInt64) throws -> SignedEthereumTransaction {
        let fees = EthereumTransaction.Fees(
            maxPriorityFeePerGas: Wei(UInt256(1_000_000_000)), maxFeePerGas: Wei(UInt256(30_000_000_000)))
        let transaction = try EthereumTransaction(
            chainID: .ethereum, nonce: nonce, gasLimit: 21_000, to: recipient,
            value: Wei(UInt256(100_000_000_000_000_000)), data: [], kind: .dynamicFee(fees, []))
        return try .sign(transaction, key: key, sender: sender)
    }

    /// Creates the file if it does not exist yet.
    func write() throws {
        guard !FileManager.default.fileExists(atPath: file) else { return }
        guard FileManager.default.createFile(atPath: file, contents: nil) else { throw CocoaError(.fileWriteUnknown) }
        let output = try FileHandle(forWritingTo: URL(fileURLWithPath: file))
        defer { try? output.close() }
        // The file repeats a hundred transactions. Every line is decoded again.
        let lines = try (0..<100).map { Hex.encode(try signed($0).encoded) + "\n" }.joined()
        for _ in 0..<(Self.transactions / 100) { try output.write(contentsOf: Data(lines.utf8)) }
    }

    /// Reads the file in parts of 64 KiB, and recovers the sender of each transaction.
    func read() throws {
        let input = try FileHandle(forReadingFrom: URL(fileURLWithPath: file))
        defer { try? input.close() }
        var lines = TransactionLines()
        var count = 0
        while let part = try input.read(upToCount: 1 << 16), !part.isEmpty {
            for transaction in try lines.read(part) {
                guard transaction.sender == sender else { throw EthereumError.wrongSigner }
                count += 1
            }
        }
        guard try lines.finish() == nil, count == Self.transactions else { throw CocoaError(.fileReadCorruptFile) }
    }
}
