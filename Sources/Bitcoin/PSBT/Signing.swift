internal import Curves

/// One signature that a transaction needs from the wallet. It is made only by a ``SpendSummary`` without refusals.
public struct SigningRequest: Equatable, Sendable {
    /// The index of the input.
    public let input: Int
    /// The 32 bytes to sign (BIP-341, or BIP-143 for ECDSA).
    public let message: [UInt8]
    /// The type: ``SighashType/all``, or ``SighashType/default`` of taproot.
    public let sighashType: SighashType
    /// The key that signs: it determines the kind of signature, and the tweaks of the group key.
    public let key: DerivedKey

    init(input: Int, message: [UInt8], sighashType: SighashType, key: DerivedKey) {
        self.input = input
        self.message = message
        self.sighashType = sighashType
        self.key = key
    }

    /// Returns the signature's key and value in a PSBT, and the witness that it makes.
    ///
    /// - Parameter signature: 64 bytes. The result is nil for anything that cannot be a signature.
    fileprivate func entry(for signature: [UInt8]) -> (key: [UInt8], value: [UInt8], witness: [[UInt8]])? {
        switch key {
        case .taproot:
            guard signature.count == BIP340.signatureSize else { return nil }
            let value = sighashType == .default ? signature : signature + [sighashType.rawValue]
            return (KeyValueMap.key(PSBTType.Input.tapKeySignature), value, [value])
        case .segwit(let key):
            guard let signature = try? ECDSASignature(compact: signature) else { return nil }
            let value = signature.der + [sighashType.rawValue]
            let publicKey = key.publicKey.encoded
            let field = KeyValueMap.key(PSBTType.Input.partialSignature, data: publicKey)
            return (field, value, [value, publicKey])
        }
    }
}

extension PSBT {
    /// Verifies signatures against the transaction and inserts them into their inputs (BIP-371, `PSBT_IN_TAP_KEY_SIG`;
    /// BIP-174, `PSBT_IN_PARTIAL_SIG`). If one of them is refused, none is inserted.
    ///
    /// - Parameter signatures: 64 bytes each: as BIP-340 has them, or `ECDSASignature.compact`.
    /// - Throws: ``BitcoinError/badSignature(input:)`` if one does not verify, or its request is for another transaction or
    ///   output; ``PSBTError/conflict(_:)`` if there is another signature already; ``BitcoinError/incomplete(input:)``.
    public mutating func insert(
        _ signatures: [(request: SigningRequest, signature: [UInt8])]
    ) throws(BitcoinError) {
        let sighashes = try Sighashes(unsignedTransaction, spending: try previousOutputs())
        var signed = inputs
        for (request, signature) in signatures {
            let index = request.input
            guard inputs.indices.contains(index) else { throw .incomplete(input: index) }
            guard request.sighashType.coversEverything,
                (try? sighashes.hash(input: index, type: request.sighashType)) == request.message,
                let entry = request.entry(for: signature)
            else { throw .badSignature(input: index) }
            try verify(entry.witness, input: index, sighashes: sighashes)
            try signed[index].map.insert(entry.value, forKey: entry.key, in: .input(index))
        }
        inputs = signed
        if !signatures.isEmpty { versionTwo?.becomeUnmodifiable() }
    }

    /// Verifies one signature and inserts it, as ``insert(_:)`` does.
    public mutating func insert(signature: [UInt8], for request: SigningRequest) throws(BitcoinError) {
        try insert([(request, signature)])
    }
}
