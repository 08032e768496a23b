internal import Nodes
internal import Wallet

/// The coins that a sweep leaves where they are.
struct BitcoinRemainder {
    let total: Amount
    /// What stays, and why; nil if nothing does.
    let text: String?

    /// - Parameters:
    ///   - coins: all that were found.
    ///   - spent: those that are moved.
    init(of coins: [Coin], spending spent: Set<OutPoint>) throws(Failure) {
        let left = coins.filter { !spent.contains($0.outPoint) }
        func sum(_ isCounted: (Coin) -> Bool) throws(Failure) -> Amount {
            guard let sum = try? Amount.sum(left.filter(isCounted).map(\.amount)) else {
                throw NodeError.inconsistent(.amount).failure
            }
            return sum
        }
        total = try sum { _ in true }
        let parts = [
            (try sum { $0.confirmations == 0 }, "waits to be mined"),
            (try sum { $0.confirmations > 0 && $0.isYoung }, "cannot be spent yet"),
            (try sum { $0.confirmations > 0 && !$0.isYoung }, "costs more to move than it is worth"),
        ]
        let texts = parts.filter { $0.0 > .zero }.map {
            "\(DecimalText.short(UInt256($0.0.satoshis), .bitcoin)) BTC \($0.1)"
        }
        text =
            texts.isEmpty ? nil : texts.joined(separator: ", ") + (texts.count == 1 ? ": this stays" : ": these stay")
    }
}
