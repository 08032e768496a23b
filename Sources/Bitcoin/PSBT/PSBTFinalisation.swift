internal import Encoding

extension PSBT {
    /// Turns signatures into witnesses (BIP-174, input finalizer) for all inputs that are not final yet. Each signature is
    /// verified first.
    ///
    /// Spends P2TR outputs by their key, and P2WPKH; inputs of other kinds must have been finalised by the software that signed them.
    /// - Throws: ``BitcoinError/badSignature(input:)``; ``BitcoinError/incomplete(input:)`` for an input without signature or
    ///   previous output.
    public func finalised() throws(BitcoinError) -> PSBT {
        var final = self
        let sighashes = try Sighashes(unsignedTransaction, spending: try previousOutputs())
        for index in inputs.indices where !inputs[index].isFinal {
            guard let elements = inputs[index].keyWitness else { throw .incomplete(input: index) }
            try verify(elements, input: index, sighashes: sighashes)
            var witness = ByteWriter()
            witness.witness(elements)
            // BIP-174: clears everything but the previous outputs and unknown fields. BIP-371 lists the same.
            final.inputs[index].map.keep { type in
                switch type {
                case PSBTType.Input.nonWitnessUTXO, PSBTType.Input.witnessUTXO: true
                case PSBTType.Input.partialSignature...PSBTType.Input.hash256,
                    PSBTType.Input.tapKeySignature...PSBTType.Input.tapMerkleRoot:
                    false
                default: true
                }
            }
            final.inputs[index].map[PSBTType.Input.finalScriptWitness] = witness.bytes
        }
        return final
    }

    /// Returns the transaction with its witnesses (BIP-174, transaction extractor). Witnesses that spend a P2TR output
    /// by its key, or a P2WPKH output, are verified again, because the result is broadcast.
    ///
    /// - Throws: ``BitcoinError/incomplete(input:)`` for an input that is not final; ``BitcoinError/badSignature(input:)``;
    ///   ``BitcoinError/badTransaction`` without inputs or outputs.
    public func transaction() throws(BitcoinError) -> Transaction {
        var transaction = unsignedTransaction
        guard !transaction.inputs.isEmpty, !transaction.outputs.isEmpty else { throw .badTransaction }
        for (index, input) in inputs.enumerated() {
            guard input.isFinal else { throw .incomplete(input: index) }
            transaction.inputs[index].scriptSig = input.finalScriptSig ?? []
            transaction.inputs[index].witness = input.finalWitness ?? []
        }
        let keySpends = inputs.indices.filter { spendsByKey(inputs[$0]) }
        guard !keySpends.isEmpty else { return transaction }
        let sighashes = try Sighashes(unsignedTransaction, spending: try previousOutputs())
        for index in keySpends {
            // BIP-141: an input that spends a witness program must have an empty script.
            guard transaction.inputs[index].scriptSig.isEmpty else { throw .badSignature(input: index) }
            try verify(transaction.inputs[index].witness, input: index, sighashes: sighashes)
        }
        return transaction
    }

    private func spendsByKey(_ input: PSBTInput) -> Bool {
        switch input.previousOutput?.scriptPubKey.kind {
        case .p2tr: input.finalWitness?.count == 1
        case .p2wpkh: true
        default: false
        }
    }
}
