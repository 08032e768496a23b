/// The size of a transaction once all its inputs are signed.
struct SizeEstimate {
    private(set) var virtualSize: Int
    private(set) var isExact = true

    init(of psbt: PSBT) {
        let transaction = psbt.unsignedTransaction
        var witnesses = 0
        var scripts = 0
        var hasWitness = false
        for input in psbt.inputs {
            let (script, witness, isExact) = Self.sizes(of: input)
            // One byte for the size of the script is already counted.
            scripts += script + CompactSize.size(of: script) - 1
            witnesses += witness
            hasWitness = hasWitness || witness > 1
            self.isExact = self.isExact && isExact
        }
        var weight = 4 * (transaction.serialised(withWitness: false).count + scripts)
        // BIP-144: marker and flag, and the witness of each input.
        if hasWitness { weight += 2 + witnesses }
        virtualSize = (weight + 3) / 4
        if virtualSize == 0 { virtualSize = 1 }
    }

    /// The bytes of a witness with its count: a BIP-340 signature of the default type.
    static let taprootWitness = 1 + 1 + 64
    /// A DER signature has at most 72 bytes with its type, rarely less than 71; a key 33.
    static let keyHashWitness = 1 + 1 + 72 + 1 + 33

    /// Returns the bytes of the script signature, and of the witness with its count.
    private static func sizes(of input: PSBTInput) -> (script: Int, witness: Int, isExact: Bool) {
        if input.isFinal {
            let witness = input.finalWitness ?? []
            let size = witness.reduce(CompactSize.size(of: witness.count)) {
                $0 + CompactSize.size(of: $1.count) + $1.count
            }
            return (input.finalScriptSig?.count ?? 0, size, true)
        }
        let keyHash = (0, keyHashWitness, false)
        switch input.previousOutput?.scriptPubKey.kind {
        case .p2tr: return (0, taprootWitness + (input.sighashType == .default ? 0 : 1), true)
        case .p2wpkh: return keyHash
        case .p2pkh: return (1 + 72 + 1 + 33, 1, false)
        // The most common case: two signatures and the script.
        case .p2wsh:
            let script = input.witnessScript?.count ?? 105
            return (0, 1 + 1 + 2 * 73 + CompactSize.size(of: script) + script, false)
        case .p2sh:
            guard let redeemScript = input.redeemScript else { return (23, keyHash.1, false) }
            guard let script = input.witnessScript?.count else {
                return redeemScript.count == 22
                    ? (23, keyHash.1, false) : (1 + 2 * 73 + 3 + redeemScript.count, 1, false)
            }
            return (35, 1 + 1 + 2 * 73 + CompactSize.size(of: script) + script, false)
        default: return keyHash
        }
    }
}
