internal import Bitcoin
internal import Custody
internal import HDKeys
internal import Wallet

/// The scripts that this machine's own transactions of a wallet pay to: addresses that are used, also when their coins are spent.
enum BookScripts {
    static func used(in book: WalletBook, on network: Network) async -> Set<ScriptPubKey> {
        var used: Set<ScriptPubKey> = []
        for entry in await book.history() where entry.chain == .bitcoin(network) {
            guard let bytes = entry.transaction, let transaction = try? Transaction(decoding: bytes) else { continue }
            used.formUnion(transaction.outputs.map(\.scriptPubKey))
        }
        for proposal in await book.proposals() {
            guard case .bitcoinTransaction(let psbt) = proposal.payload else { continue }
            used.formUnion(psbt.unsignedTransaction.outputs.map(\.scriptPubKey))
        }
        return used
    }
}
