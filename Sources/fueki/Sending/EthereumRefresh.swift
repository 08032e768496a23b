internal import Custody
internal import Encoding
internal import Nodes
internal import Wallet

/// Asks a node what became of what was signed on Ethereum, and writes it into the book.
struct EthereumRefresh {
    let book: WalletBook
    let node: EthereumNode
    let output: Output

    func run() async throws(Failure) {
        output.progress("asking the node what became of what was sent")
        for entry in await book.history() where entry.chain == .ethereum(node.chain) {
            guard [.signed, .sent].contains(entry.state), let id = entry.id,
                let hash = try? Hex.decode(String(id.dropFirst(2)))
            else { continue }
            switch try await attempt({ () async throws(NodeError) in try await node.whereabouts(of: hash) }) {
            // It may still be sent, or come back: only what took its place, once it is mined, ends it.
            case .unknown: continue
            case .waiting where entry.state == .sent: continue
            case .waiting: try await note(.sent, entry)
            case .mined(let receipt): try await note(.mined(height: receipt.height), entry)
            }
        }
    }

    private func note(_ outcome: HistoryEntry.Outcome, _ entry: HistoryEntry) async throws(Failure) {
        try await attempt { () async throws(CustodyError) in try await book.note(outcome, of: entry.digest) }
    }
}
