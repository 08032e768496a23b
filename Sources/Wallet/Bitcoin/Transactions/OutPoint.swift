internal import Encoding

/// One output of one transaction, as an input names it.
public struct OutPoint: Hashable, Sendable {
    public let transaction: TransactionID
    /// Counted from 0.
    public let index: UInt32

    public init(transaction: TransactionID, index: UInt32) {
        self.transaction = transaction
        self.index = index
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
