internal import Curves

/// The two transactions of BIP-322, which can never be mined: the first pays zero to the address and spends an output
/// that cannot exist; the second spends the first one's output, and its signature is that of the message.
struct MessageTransactions {
    let toSpend: Transaction
    /// The second transaction, without its witness.
    let toSign: Transaction

    /// Returns hash_BIP0322-signed-message(message): 32 bytes.
    static func hash(of message: [UInt8]) -> [UInt8] { BIP340.taggedHash("BIP0322-signed-message", message) }

    /// - Parameter script: the script of the address that signs.
    init(_ message: [UInt8], to script: ScriptPubKey) {
        let nothing = OutPoint(transaction: TransactionID(hash: [UInt8](repeating: 0, count: 32)), index: .max)
        toSpend = Transaction(
            version: 0,
            inputs: [
                // OP_0, and a push of 32 bytes.
                TransactionInput(
                    previousOutput: nothing, scriptSig: [0x00, 0x20] + Self.hash(of: message), sequence: 0)
            ],
            outputs: [TransactionOutput(amount: .zero, scriptPubKey: script)], lockTime: 0)
        toSign = Transaction(
            version: 0,
            inputs: [
                TransactionInput(previousOutput: OutPoint(transaction: toSpend.id, index: 0), sequence: 0)
            ],
            outputs: [Self.output], lockTime: 0)
    }

    /// The second transaction's only output.
    static let output = TransactionOutput(amount: .zero, scriptPubKey: ScriptPubKey(.opReturn))

    /// The output that the second transaction spends.
    var spent: TransactionOutput { toSpend.outputs[0] }
}
