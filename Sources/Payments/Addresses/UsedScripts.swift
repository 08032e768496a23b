internal import Bitcoin
internal import HDKeys
internal import Wallet
internal import WalletBooks

extension WalletBook {
    /// Returns the scripts to which this machine's own transactions of a wallet pay: these addresses are used, even
    /// when their coins are spent.
    func usedScripts(on network: Network) -> Set<ScriptPubKey> {
        var used: Set<ScriptPubKey> = []
        for entry in history() where entry.chain == .bitcoin(network) {
            guard let bytes = entry.transaction, let transaction = try? Transaction(decoding: bytes) else { continue }
            used.formUnion(transaction.outputs.map(\.scriptPubKey))
        }
        for proposal in proposals() {
            guard case .bitcoinTransaction(let psbt) = proposal.payload else { continue }
            used.formUnion(psbt.unsignedTransaction.outputs.map(\.scriptPubKey))
        }
        return used
    }
}
