internal import Encoding

/// One output of one transaction, as an input names it.
public struct OutPoint: Hashable, Sendable {
    /// The transaction that has the output.
    public let transaction: TransactionID
    /// Counted from 0.
    public let index: UInt32

    /// Names the output at `index` of a transaction.
    public init(transaction: TransactionID, index: UInt32) {
        self.transaction = transaction
        self.index = index
    }
}

extension OutPoint {
    /// Reads ``description``, and nothing else.
    ///
    /// - Throws: ``BitcoinError/badTransaction``, ``BitcoinError/malformed(_:)``.
    public init(_ text: String) throws(BitcoinError) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let index = UInt32(parts[1]) else { throw .badTransaction }
        self.init(transaction: try TransactionID(String(parts[0])), index: index)
        guard description == text else { throw .badTransaction }
    }
}

extension OutPoint: CustomStringConvertible {
    /// `<transaction>:<index>`.
    public var description: String { "\(transaction):\(index)" }
}

extension ByteWriter {
    mutating func outPoint(_ outPoint: OutPoint) {
        append(outPoint.transaction.bytes)
        littleEndian(outPoint.index)
    }
}
