/// The result of verifying a message's signature (BIP-322, verification process).
public enum MessageVerdict: Hashable, Sendable {
    /// The owner of the address signed the message.
    case valid
    /// Valid, with a restriction: the signature counts only from a time on (`nLockTime`), or for coins of an age
    /// (`nSequence`, BIP-68). The verifier decides whether that time has come.
    case validAt(lockTime: UInt32, sequence: UInt32)
    /// Undecided: the address is one of a script, or the signature belongs to a later standard. Never treat this as
    /// valid.
    case inconclusive
    /// The signature is not by the owner of the address, or is of another message.
    case invalid
}

extension MessageSignature {
    /// Verifies the signature by an address that is spent by a key: P2WPKH, and P2TR by its output key.
    ///
    /// - Parameter message: the message without a prefix; text is in UTF-8.
    public func verdict(on message: [UInt8], by address: Address<Checked>) -> MessageVerdict {
        let transactions = MessageTransactions(message, to: address.scriptPubKey)
        var toSign = transactions.toSign
        let witness: [[UInt8]]
        switch form {
        case .simple(let elements): witness = elements
        case .full(let transaction):
            // Basic validation: it spends the expected output, and has the one output.
            guard let first = transaction.inputs.first,
                first.previousOutput == toSign.inputs[0].previousOutput,
                transaction.outputs == [MessageTransactions.output]
            else { return .invalid }
            // Further inputs prove funds; other versions may get a meaning later.
            guard transaction.inputs.count == 1, [0, 2].contains(transaction.version) else { return .inconclusive }
            witness = first.witness
            toSign = Transaction(
                version: transaction.version,
                inputs: [TransactionInput(previousOutput: first.previousOutput, sequence: first.sequence)],
                outputs: transaction.outputs, lockTime: transaction.lockTime)
            guard first.scriptSig.isEmpty || !address.scriptPubKey.isWitnessProgram else { return .invalid }
        }
        guard Self.isUnderstood(address.scriptPubKey, witness) else { return .inconclusive }
        guard Self.coversEverything(witness, of: address.scriptPubKey),
            let psbt = try? PSBT(toSign, previousOutputs: [transactions.spent]),
            let sighashes = try? Sighashes(toSign, spending: [transactions.spent]),
            (try? psbt.verify(witness, input: 0, sighashes: sighashes)) != nil
        else { return .invalid }
        let sequence = toSign.inputs[0].sequence
        return toSign.lockTime == 0 && sequence == 0
            ? .valid : .validAt(lockTime: toSign.lockTime, sequence: sequence)
    }

    /// Returns whether the witness is a spend by key, so that no script has to be run.
    private static func isUnderstood(_ script: ScriptPubKey, _ witness: [[UInt8]]) -> Bool {
        switch script.kind {
        case .p2wpkh: true
        // More elements are a script path, or an annex without a meaning yet.
        case .p2tr: witness.count <= 1
        default: false
        }
    }

    /// Required rule: all signatures use SIGHASH_ALL. The default type of taproot covers the same.
    private static func coversEverything(_ witness: [[UInt8]], of script: ScriptPubKey) -> Bool {
        guard let signature = witness.first else { return false }
        if case .p2tr = script.kind, signature.count == 64 { return true }
        return signature.last == SighashType.all.rawValue
    }
}
