internal import Custody
internal import Nodes
internal import Wallet

/// Asks a node what became of what was signed on Bitcoin, and writes it into the book.
struct BitcoinRefresh {
    let book: WalletBook
    let chain: any BitcoinChain
    let output: Output

    func run() async throws(Failure) {
        output.progress("asking the node what became of what was sent")
        for entry in await book.history() where entry.chain == .bitcoin(chain.network) {
            guard [.signed, .unanswered, .sent].contains(entry.state), let text = entry.id,
                let id = try? TransactionID(text)
            else { continue }
            switch try await attempt({ () async throws(NodeError) in try await chain.whereabouts(of: id) }) {
            // It may still be sent, or come back: only what took its place, once it is mined, ends it.
            case .unknown: continue
            case .waiting where entry.state == .sent: continue
            case .waiting: try await note(.sent, entry)
            case .mined(let height, _): try await note(.mined(height: UInt64(height)), entry)
            }
        }
    }

    private func note(_ outcome: HistoryEntry.Outcome, _ entry: HistoryEntry) async throws(Failure) {
        try await attempt { () async throws(CustodyError) in try await book.note(outcome, of: entry.digest) }
    }
}
