internal import Curves

extension PSBTInput {
    /// The witness made of this input's signature, if one spends the output by its key: the signature, and for P2WPKH
    /// the key. Nothing is verified.
    var keyWitness: [[UInt8]]? {
        switch previousOutput?.scriptPubKey.kind {
        case .p2tr: tapKeySignature.map { [$0] }
        case .p2wpkh(let keyHash):
            map.all(PSBTType.Input.partialSignature).first { Hash160.hash(Array($0.data)) == keyHash }
                .map { [$0.value, Array($0.data)] }
        default: nil
        }
    }
}

extension PSBT {
    /// Checks a witness that spends an output by its key, P2TR or P2WPKH.
    ///
    /// - Throws: ``BitcoinError/badSignature(input:)``; ``BitcoinError/incomplete(input:)``.
    func verify(_ witness: [[UInt8]], input index: Int, sighashes: Sighashes) throws(BitcoinError) {
        guard let output = inputs[index].previousOutput else { throw .incomplete(input: index) }
        let isValid: Bool
        switch output.scriptPubKey.kind {
        case .p2tr(let outputKey): isValid = isKeySpend(witness, of: outputKey, input: index, sighashes)
        case .p2wpkh(let keyHash): isValid = isKeyHashSpend(witness, of: keyHash, input: index, sighashes)
        default: isValid = false
        }
        guard isValid else { throw .badSignature(input: index) }
    }

    /// BIP-341: a signature of 64 bytes, or of 65 with its type.
    private func isKeySpend(
        _ witness: [[UInt8]], of outputKey: [UInt8], input index: Int, _ sighashes: Sighashes
    ) -> Bool {
        guard witness.count == 1, let signature = witness.first, (64...65).contains(signature.count) else {
            return false
        }
        var type = SighashType.default
        if signature.count == 65 {
            // A 65th byte of 0 is invalid; otherwise a signature would have two forms.
            guard let byte = signature.last, byte != 0, let named = SighashType(rawValue: byte) else { return false }
            type = named
        }
        guard let message = message(input: index, type: type, sighashes) else { return false }
        return BIP340.isValid(signature: Array(signature.prefix(64)), message: message, publicKey: outputKey)
    }

    /// BIP-141 and BIP-143: a signature in DER with its type, and the key, compressed.
    private func isKeyHashSpend(
        _ witness: [[UInt8]], of keyHash: [UInt8], input index: Int, _ sighashes: Sighashes
    ) -> Bool {
        guard witness.count == 2, Hash160.hash(witness[1]) == keyHash,
            let key = try? Secp256k1.Point(encoded: witness[1]),
            let byte = witness[0].last, let type = SighashType(rawValue: byte),
            let signature = try? ECDSASignature(der: witness[0].dropLast()),
            let message = message(input: index, type: type, sighashes)
        else { return false }
        return signature.isValid(message: message, publicKey: key)
    }

    private func message(input index: Int, type: SighashType, _ sighashes: Sighashes) -> [UInt8]? {
        // BIP-174: a signature of another type than the requested one must not be finalised.
        if let wanted = inputs[index].sighashField, wanted != UInt32(type.rawValue) { return nil }
        return try? sighashes.hash(input: index, type: type)
    }
}
