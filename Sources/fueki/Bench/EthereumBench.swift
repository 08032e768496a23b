internal import Amounts
internal import Curves
internal import Encoding
internal import Ethereum
internal import Foundation
internal import Secrets
internal import Wallet

/// What Ethereum asks of a wallet: to hash, to sign by one key, and to read what others signed.
final class EthereumBench: Sendable {
    private let key: SecretScalar<Secp256k1>
    private let sender: EthereumAddress
    private let recipient: EthereumAddress
    private let data = [UInt8](repeating: 7, count: 1 << 20)
    /// A file of 10,000 signed transactions, a line each.
    private let file: String
    private static let transactions = 10_000

    init(folder: String) throws {
        key = SecretScalar(from: SystemRandom())
        sender = EthereumAddress(publicKey: Secp256k1.generator(times: key))
        recipient = try EthereumAddress(bytes: [UInt8](repeating: 0x35, count: EthereumAddress.size))
        file = "\(folder)/transactions.txt"
    }

    /// One MiB: the median in microseconds, into 1,048,576, are MB/s.
    func hash() { _ = Keccak256.hash(data) }

    /// Builds a transfer, hashes it, signs it, checks the signature, and writes it down.
    func sign(round: Int) throws { _ = try signed(UInt64(round)).encoded }

    private func signed(_ nonce: UInt64) throws -> SignedEthereumTransaction {
        let fees = EthereumTransaction.Fees(
            maxPriorityFeePerGas: Wei(UInt256(1_000_000_000)), maxFeePerGas: Wei(UInt256(30_000_000_000)))
        let transaction = try EthereumTransaction(
            chainID: .ethereum, nonce: nonce, gasLimit: 21_000, to: recipient,
            value: Wei(UInt256(100_000_000_000_000_000)), data: [], kind: .dynamicFee(fees, []))
        return try .sign(transaction, key: key, sender: sender)
    }

    /// Makes the file, once.
    func write() throws {
        guard !FileManager.default.fileExists(atPath: file) else { return }
        guard FileManager.default.createFile(atPath: file, contents: nil) else { throw CocoaError(.fileWriteUnknown) }
        let output = try FileHandle(forWritingTo: URL(fileURLWithPath: file))
        defer { try? output.close() }
        // A hundred of them, again and again: each is read anew.
        let lines = try (0..<100).map { Hex.encode(try signed($0).encoded) + "\n" }.joined()
        for _ in 0..<(Self.transactions / 100) { try output.write(contentsOf: Data(lines.utf8)) }
    }

    /// Reads the file in parts of 64 KiB, and recovers each sender.
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
