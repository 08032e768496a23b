internal import Amounts
internal import Bitcoin
internal import Nodes
internal import Payments
internal import Terminal
internal import Wallet

/// The coins that a sweep leaves where they are.
struct BitcoinRemainder {
    let total: Amount
    /// What stays, and why; nil if nothing does.
    let text: String?

    /// - Parameter unseen: what the node lists and was not looked at.
    init(of staying: [(coin: Coin, obstacle: SweepPlan.Obstacle)], _ unlisted: UnlistedCoins) throws(Failure) {
        func sum(_ isCounted: (SweepPlan.Obstacle) -> Bool) throws(Failure) -> Amount {
            guard let sum = try? Amount.sum(staying.filter { isCounted($0.obstacle) }.map(\.coin.amount)) else {
                throw NodeError.inconsistent(.amount).failure
            }
            return sum
        }
        var parts: [String] = []
        for obstacle in SweepPlan.Obstacle.allCases {
            let amount = try sum { $0 == obstacle }
            if amount > .zero { parts.append("\(Self.bitcoin(amount)) BTC \(Self.reason(obstacle))") }
        }
        if unlisted.count > 0 {
            parts.append(
                "\(Self.bitcoin(unlisted.worth)) BTC in \(unlisted.count) smaller coins is moved when you give the same "
                    + "command again")
        }
        parts += unlisted.crowded.map { "what \($0) has beyond that cannot be listed" }
        let told = try sum { _ in true }
        total = (try? told.adding(unlisted.worth)) ?? .maximum
        text =
            parts.isEmpty ? nil : parts.joined(separator: ", ") + (parts.count == 1 ? ": this stays" : ": these stay")
    }

    private static func reason(_ obstacle: SweepPlan.Obstacle) -> String {
        switch obstacle {
        case .waiting: "waits to be mined"
        case .immature: "cannot be spent yet"
        case .worthless: "costs more to move than it is worth"
        case .largeOrigin: "comes from a transaction that is too large to be shown to a signer"
        case .aboveCeiling: "would cost more than --max-fee allows"
        }
    }

    private static func bitcoin(_ amount: Amount) -> String { DecimalText.short(UInt256(amount.satoshis), .bitcoin) }
}
