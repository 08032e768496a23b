/// The size of a transaction that spends the wallet's outputs by their keys, computed before it exists.
struct TransactionSize {
    private var inputCount = 0
    private var outputCount = 0
    private var outputBytes = 0
    private var witnessBytes = 0

    init(spending coins: some Sequence<Coin> = [], paying outputs: some Sequence<TransactionOutput>) {
        for coin in coins { add(coin) }
        for output in outputs { add(output.scriptPubKey) }
    }

    mutating func add(_ coin: Coin) {
        inputCount += 1
        witnessBytes += Self.witness(of: coin.key)
    }

    mutating func add(_ script: ScriptPubKey) {
        outputCount += 1
        outputBytes += Self.output(script)
    }

    /// The weight (BIP-141), with BIP-144's marker and flag.
    var weight: Int {
        // Version and lock time; an input has an outpoint, an empty script and a sequence number.
        let stripped =
            8 + CompactSize.size(of: inputCount) + 41 * inputCount + CompactSize.size(of: outputCount) + outputBytes
        return 4 * stripped + 2 + witnessBytes
    }

    var virtualSize: Int { (weight + 3) / 4 }

    /// Returns the weight of one input, its witness included.
    static func weight(of key: DerivedKey) -> Int { 4 * 41 + witness(of: key) }

    /// Returns the size of one output in bytes.
    static func output(_ script: ScriptPubKey) -> Int {
        8 + CompactSize.size(of: script.bytes.count) + script.bytes.count
    }

    private static func witness(of key: DerivedKey) -> Int {
        switch key {
        case .taproot: SizeEstimate.taprootWitness
        case .segwit: SizeEstimate.keyHashWitness
        }
    }
}
