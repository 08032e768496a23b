internal import Encoding

/// An output of a transaction, as an input names it.
public struct OutPoint: Hashable, Sendable {
    /// The transaction that has the output.
    public let transaction: TransactionID
    /// The output's index, counted from 0.
    public let index: UInt32

    /// Creates the name of a transaction's output at `index`.
    public init(transaction: TransactionID, index: UInt32) {
        self.transaction = transaction
        self.index = index
    }
}

extension OutPoint {
    /// Reads exactly the form of ``description``.
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
    /// The outpoint as text: `<transaction>:<index>`.
    public var description: String { "\(transaction):\(index)" }
}

extension ByteWriter {
    mutating func outPoint(_ outPoint: OutPoint) {
        append(outPoint.transaction.bytes)
        littleEndian(outPoint.index)
    }
}
