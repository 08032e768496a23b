internal import Curves

/// The fields of one input of a PSBT.
public struct PSBTInput: Equatable, Sendable {
    var map: KeyValueMap

    /// The output that is spent, if the PSBT shows it.
    public let previousOutput: TransactionOutput?
    /// Whether the whole previous transaction is shown, and has the identifier that the input names. Only then is the
    /// amount proven for every kind of signature.
    public let isProven: Bool

    init(_ map: KeyValueMap, spending outPoint: OutPoint, index: Int) throws(BitcoinError) {
        self.map = map
        var proven: TransactionOutput?
        if let bytes = map[PSBTType.Input.nonWitnessUTXO] {
            guard let previous = try? Transaction(decoding: bytes) else {
                throw .psbt(.badField(PSBTField(.input(index), type: PSBTType.Input.nonWitnessUTXO)))
            }
            // BIP-174: its hash must be the one that the input names.
            guard previous.id == outPoint.transaction, previous.outputs.indices.contains(Int(outPoint.index)) else {
                throw .psbt(.previousTransactionMismatch(input: index))
            }
            proven = previous.outputs[Int(outPoint.index)]
        }
        var claimed: TransactionOutput?
        if let bytes = map[PSBTType.Input.witnessUTXO] {
            guard let output = try? TransactionOutput(decoding: bytes) else {
                throw .psbt(.badField(PSBTField(.input(index), type: PSBTType.Input.witnessUTXO)))
            }
            guard proven == nil || proven == output else { throw .psbt(.previousTransactionMismatch(input: index)) }
            claimed = output
        }
        previousOutput = proven ?? claimed
        isProven = proven != nil
    }

    /// The requested type of signature. Without a request it is ``SighashType/default`` for P2TR, else
    /// ``SighashType/all``; nil if this kind of output does not have the requested type.
    public var sighashType: SighashType? {
        let isTaproot = if case .p2tr = previousOutput?.scriptPubKey.kind { true } else { false }
        guard let value = map[PSBTType.Input.sighashType] else { return isTaproot ? .default : .all }
        guard value.dropFirst().allSatisfy({ $0 == 0 }), let first = value.first,
            let type = SighashType(rawValue: first), isTaproot || type != .default
        else { return nil }
        return type
    }

    /// The requested type as it is in the PSBT; nil without one.
    var sighashField: UInt32? {
        map[PSBTType.Input.sighashType].map { $0.reversed().reduce(0) { $0 << 8 | UInt32($1) } }
    }

    /// The signature for spending by the output key: 64 bytes, or 65 with its type.
    public var tapKeySignature: [UInt8]? { map[PSBTType.Input.tapKeySignature] }
    /// The internal key of the taproot output: 32 bytes (BIP-371).
    public var tapInternalKey: [UInt8]? { map[PSBTType.Input.tapInternalKey] }
    /// The root of the script tree of the taproot output: 32 bytes (BIP-371).
    public var tapMerkleRoot: [UInt8]? { map[PSBTType.Input.tapMerkleRoot] }
    /// The claims about taproot keys (BIP-371).
    public var tapDerivations: [TaprootDerivation] {
        map.all(PSBTType.Input.tapDerivation).compactMap { TaprootDerivation(key: $0.data, value: $0.value) }
    }
    /// The claimed origins of ECDSA keys (BIP-174). They prove nothing.
    public var derivations: [KeyDerivation] {
        map.all(PSBTType.Input.derivation).compactMap { KeyDerivation(key: $0.data, value: $0.value) }
    }
    var claims: [KeyClaim] { tapDerivations.map(KeyClaim.taproot) + derivations.map(KeyClaim.ecdsa) }
    /// Returns an ECDSA signature by a key: DER, then its type (BIP-174).
    public func partialSignature(by publicKey: [UInt8]) -> [UInt8]? {
        map.entries[KeyValueMap.key(PSBTType.Input.partialSignature, data: publicKey)]
    }
    /// Whether it has a field that only a P2TR output can have, other than claims about keys.
    var hasTaprootFields: Bool { hasScriptPath || tapInternalKey != nil || tapKeySignature != nil }
    /// Whether it has a field for spending by a leaf of a script tree.
    var hasScriptPath: Bool {
        tapMerkleRoot != nil || map.has(PSBTType.Input.tapLeafScript) || map.has(PSBTType.Input.tapScriptSignature)
            || tapDerivations.contains { $0.leafCount > 0 }
    }
    /// The script that a P2SH output hashes (BIP-174).
    public var redeemScript: [UInt8]? { map[PSBTType.Input.redeemScript] }
    /// The script that a P2WSH output hashes (BIP-174).
    public var witnessScript: [UInt8]? { map[PSBTType.Input.witnessScript] }
    /// The final script of the input (BIP-174).
    public var finalScriptSig: [UInt8]? { map[PSBTType.Input.finalScriptSig] }
    /// The final witness of the input (BIP-174).
    public var finalWitness: [[UInt8]]? { map[PSBTType.Input.finalScriptWitness].flatMap(FieldRules.witness) }
    /// Whether the input is final, so that nothing more is to be signed.
    public var isFinal: Bool { finalScriptSig != nil || finalWitness != nil }

    /// Whether the fields are consistent, as BIP-174 wants a signer to check: scripts match their hashes, and an output
    /// without a witness is shown with its whole transaction.
    var isConsistent: Bool {
        guard let output = previousOutput else { return redeemScript == nil && witnessScript == nil }
        var script = output.scriptPubKey
        if let redeemScript {
            guard script.kind == .p2sh(scriptHash: Hash160.hash(redeemScript)) else { return false }
            script = ScriptPubKey(redeemScript)
        }
        if let witnessScript {
            guard script.kind == .p2wsh(scriptHash: SHA256.hash(witnessScript)) else { return false }
        }
        // A redeem script may still be missing, and the P2SH output may turn out to have a witness.
        let mayHaveWitness = script.isWitnessProgram || isP2SH(script)
        return mayHaveWitness || isProven
    }

    private func isP2SH(_ script: ScriptPubKey) -> Bool {
        if case .p2sh = script.kind { redeemScript == nil } else { false }
    }
}
