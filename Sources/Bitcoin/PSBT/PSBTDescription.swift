internal import Curves

extension PSBT {
    /// Creates a PSBT that spends coins of the wallet, with all fields that co-signers and other wallets need (BIP-174
    /// and BIP-371, updater): what each input spends, and the keys of the inputs and outputs.
    ///
    /// Taproot signatures cover all amounts. If a P2WPKH output is also spent, each input proves its amount by the
    /// whole previous transaction; otherwise those would only make the PSBT large.
    /// - Parameters:
    ///   - coins: one for each input.
    ///   - keys: for each output, the wallet's key that it pays to; nil for other outputs.
    /// - Throws: ``BitcoinError/badTransaction`` for other numbers of coins or keys;
    ///   ``BitcoinError/incomplete(input:)`` if a previous transaction is needed, and not known;
    ///   ``PSBTError/previousTransactionMismatch(input:)`` if a coin is not what its input spends.
    init(
        _ transaction: Transaction, spending coins: [Coin], payingTo keys: [DerivedKey?], of accounts: BitcoinAccounts
    ) throws(BitcoinError) {
        guard coins.count == transaction.inputs.count, keys.count == transaction.outputs.count else {
            throw .badTransaction
        }
        try self.init(transaction, previousOutputs: coins.map(\.output))
        let needsProof = coins.contains(where: \.isSegwit)
        for (index, coin) in coins.enumerated() {
            let outPoint = transaction.inputs[index].previousOutput
            guard coin.outPoint == outPoint else { throw .psbt(.previousTransactionMismatch(input: index)) }
            var map = inputs[index].map
            if needsProof {
                guard let previous = coin.previousTransaction else { throw .incomplete(input: index) }
                map[PSBTType.Input.nonWitnessUTXO] = previous.encoded
            }
            map.describe(coin.key, of: accounts, in: .input)
            inputs[index] = try PSBTInput(map, spending: outPoint, index: index)
        }
        for (index, key) in keys.enumerated() {
            if let key { outputs[index].map.describe(key, of: accounts, in: .output) }
        }
    }
}

extension KeyValueMap {
    /// The field types that describe a key.
    fileprivate struct DescriptionTypes {
        let internalKey: UInt64
        let tapDerivation: UInt64
        let derivation: UInt64

        static let input = DescriptionTypes(
            internalKey: PSBTType.Input.tapInternalKey, tapDerivation: PSBTType.Input.tapDerivation,
            derivation: PSBTType.Input.derivation)
        static let output = DescriptionTypes(
            internalKey: PSBTType.Output.tapInternalKey, tapDerivation: PSBTType.Output.tapDerivation,
            derivation: PSBTType.Output.derivation)
    }

    fileprivate mutating func describe(_ key: DerivedKey, of accounts: BitcoinAccounts, in types: DescriptionTypes) {
        switch key {
        case .taproot(let key):
            self[types.internalKey] = key.internalKey
            // The internal key is in no leaf.
            let account = accounts.taproot
            self[types.tapDerivation, key.internalKey] =
                [0] + KeyOrigin(key.path, below: account.key, from: account.origin).bytes
        case .segwit(let key):
            guard let account = accounts.segwit else { return }
            self[types.derivation, key.publicKey.encoded] =
                KeyOrigin(key.path, below: account.key, from: account.origin).bytes
        }
    }
}
