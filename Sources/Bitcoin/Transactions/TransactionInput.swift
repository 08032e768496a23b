/// An input of a transaction: the output that it spends, and the data that allow it.
public struct TransactionInput: Hashable, Sendable {
    /// The output that is spent.
    public let previousOutput: OutPoint
    /// The script of the input; empty for witness outputs.
    public var scriptSig: [UInt8]
    /// The sequence number (BIP-125 and BIP-68): below 0xFFFFFFFE the transaction may be replaced; below 0x80000000 it
    /// may have to wait.
    public let sequence: UInt32
    /// The witness (BIP-141). Empty in an unsigned transaction.
    public var witness: [[UInt8]]

    /// Creates an input.
    public init(previousOutput: OutPoint, scriptSig: [UInt8] = [], sequence: UInt32, witness: [[UInt8]] = []) {
        self.previousOutput = previousOutput
        self.scriptSig = scriptSig
        self.sequence = sequence
        self.witness = witness
    }
}
