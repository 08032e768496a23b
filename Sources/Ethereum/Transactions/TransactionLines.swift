internal import Encoding

/// Reads signed transactions from text, one in hexadecimal on each line, piece by piece: a file of any size takes no
/// more memory than its longest line.
///
/// ```swift
/// var lines = TransactionLines()
/// while let part = … { for transaction in try lines.read(part) { … } }
/// if let last = try lines.finish() { … }
/// ```
public struct TransactionLines: Sendable {
    private var line: [UInt8] = []

    public init() {}

    /// Reads the next piece of the text.
    ///
    /// - Returns: the transactions whose lines have ended. Empty lines are skipped; `0x` before the digits is
    ///   permitted.
    /// - Throws: ``EthereumError/malformed(_:)`` or ``EthereumError/badTransaction(_:)``, at the first line that is wrong.
    public mutating func read(_ text: some Sequence<UInt8>) throws(EthereumError) -> [SignedEthereumTransaction] {
        var transactions: [SignedEthereumTransaction] = []
        for byte in text {
            if byte != UInt8(ascii: "\n") {
                // Two digits for each byte, and the prefix.
                let limit = 2 * EthereumLimits.ethereumTransactionBytes + 2
                guard line.count < limit else { throw .malformed(.tooLong(limit: limit)) }
                line.append(byte)
            } else if let transaction = try finish() {
                transactions.append(transaction)
            }
        }
        return transactions
    }

    /// Returns the transaction on the last line, if that line has no end.
    public mutating func finish() throws(EthereumError) -> SignedEthereumTransaction? {
        defer { line.removeAll(keepingCapacity: true) }
        if line.isEmpty { return nil }
        let digits = line.starts(with: "0x".utf8) ? line.dropFirst(2) : line[...]
        let bytes: [UInt8]
        do { bytes = try Hex.decode(String(decoding: digits, as: UTF8.self)) } catch { throw .malformed(error) }
        return try SignedEthereumTransaction(decoding: bytes)
    }
}
