/// What is known about a signature of a message after it was verified (BIP-322, verification process).
public enum MessageVerdict: Hashable, Sendable {
    /// Who holds the address signed the message.
    case valid
    /// As ``valid``, but the signature says that it counts only from a time on (`nLockTime`), or for coins of an age
    /// (`nSequence`, BIP-68). Who verifies decides whether that has come.
    case validAt(lockTime: UInt32, sequence: UInt32)
    /// It cannot be told: the address is one of a script, or the signature is of a kind of some later standard. Never taken
    /// for valid.
    case inconclusive
    /// Not signed by who holds the address, or not this message.
    case invalid
}

extension MessageSignature {
    /// Verifies the signature of an address that is spent by a key: P2WPKH, and P2TR by its output key.
    ///
    /// - Parameter message: as it is, without prefix; text in UTF-8.
    public func verdict(on message: [UInt8], by address: Address<Checked>) -> MessageVerdict {
        let transactions = MessageTransactions(message, to: address.scriptPubKey)
        var toSign = transactions.toSign
        let witness: [[UInt8]]
        switch form {
        case .simple(let elements): witness = elements
        case .full(let transaction):
            // Basic validation: it spends what it should, and has the one output.
            guard let first = transaction.inputs.first,
                first.previousOutput == toSign.inputs[0].previousOutput,
                transaction.outputs == [MessageTransactions.output]
            else { return .invalid }
            // Further inputs prove funds; other versions may get a meaning.
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

    /// Whether it is spent by a key, so that no script has to be run.
    private static func isUnderstood(_ script: ScriptPubKey, _ witness: [[UInt8]]) -> Bool {
        switch script.kind {
        case .p2wpkh: true
        // More elements are a script path, or an annex that has no meaning yet.
        case .p2tr: witness.count <= 1
        default: false
        }
    }

    /// Required rule: all signatures use SIGHASH_ALL, which for taproot is what the default type covers too.
    private static func coversEverything(_ witness: [[UInt8]], of script: ScriptPubKey) -> Bool {
        guard let signature = witness.first else { return false }
        if case .p2tr = script.kind, signature.count == 64 { return true }
        return signature.last == SighashType.all.rawValue
    }
}
