internal import Curves

/// One signature that the wallet is asked for. Comes only out of a ``SpendSummary`` that has no refusal.
public struct SigningRequest: Equatable, Sendable {
    /// Index of the input.
    public let input: Int
    /// The 32 bytes to sign (BIP-341).
    public let message: [UInt8]
    /// ``SighashType/default`` or ``SighashType/all``.
    public let sighashType: SighashType
    /// The key to sign for, and how the group's key is tweaked to it.
    public let key: DerivedTaprootKey

    init(input: Int, message: [UInt8], sighashType: SighashType, key: DerivedTaprootKey) {
        self.input = input
        self.message = message
        self.sighashType = sighashType
        self.key = key
    }
}

extension PSBT {
    /// Puts signatures into their inputs (BIP-371, `PSBT_IN_TAP_KEY_SIG`), once each was checked against the transaction.
    /// If one of them is refused, none is put in.
    ///
    /// - Parameter signatures: 64 bytes each (BIP-340).
    /// - Throws: ``WalletError/badSignature(input:)`` if one does not verify, or its request is for another transaction or
    ///   output; ``WalletError/conflict(_:)`` if there is another signature already; ``WalletError/incomplete(input:)``.
    public mutating func insert(
        _ signatures: [(request: SigningRequest, signature: [UInt8])]
    ) throws(WalletError) {
        let sighash = try TaprootSighash(unsignedTransaction, spending: try previousOutputs())
        var signed = inputs
        for (request, signature) in signatures {
            let index = request.input
            guard inputs.indices.contains(index) else { throw .incomplete(input: index) }
            guard signature.count == 64, request.sighashType.coversEverything,
                try sighash.hash(input: index, type: request.sighashType) == request.message
            else { throw .badSignature(input: index) }
            let full = request.sighashType == .default ? signature : signature + [request.sighashType.rawValue]
            try verify(full, input: index, sighash: sighash)
            let field = PSBTType.Input.tapKeySignature
            guard signed[index].map[field] == nil || signed[index].map[field] == full else {
                throw .conflict(PSBTField(.input(index), type: field))
            }
            signed[index].map[field] = full
        }
        inputs = signed
    }

    /// Puts one signature in, as ``insert(_:)`` does.
    public mutating func insert(signature: [UInt8], for request: SigningRequest) throws(WalletError) {
        try insert([(request, signature)])
    }

    /// Checks a signature with its type, as it stands in a PSBT or a witness, against what the input spends.
    ///
    /// - Throws: ``WalletError/badSignature(input:)``; ``WalletError/incomplete(input:)``.
    func verify(_ signature: [UInt8], input index: Int, sighash: TaprootSighash) throws(WalletError) {
        guard let output = inputs[index].previousOutput else { throw .incomplete(input: index) }
        guard case .p2tr(let outputKey) = output.scriptPubKey.kind else { throw .badSignature(input: index) }
        let type: SighashType
        switch signature.count {
        case 64: type = .default
        case 65:
            // BIP-341: a 65th byte of 0 is invalid, or a signature would have two forms.
            guard let byte = signature.last, byte != 0, let named = SighashType(rawValue: byte) else {
                throw .badSignature(input: index)
            }
            type = named
        default: throw .badSignature(input: index)
        }
        // BIP-174: a signature of another type than asked for must not be finalised.
        if let wanted = inputs[index].sighashField, wanted != UInt32(type.rawValue) {
            throw .badSignature(input: index)
        }
        guard let message = try? sighash.hash(input: index, type: type),
            BIP340.isValid(signature: Array(signature.prefix(64)), message: message, publicKey: outputKey)
        else { throw .badSignature(input: index) }
    }
}
