internal import Amounts
package import Bitcoin
package import Custody
internal import ErrorTexts
internal import Nodes
package import Payments
package import Texts

/// The coins that a sweep does not move.
package struct BitcoinRemainder {
    package let total: Amount
    /// The remaining coins with the reasons; nil if no coin remains.
    package let text: String?

    /// - Parameters:
    ///   - unlisted: the coins that the node lists and that were skipped.
    ///   - unit: the unit of amounts.
    package init(
        of staying: [(coin: Coin, obstacle: SweepPlan.Obstacle)], _ unlisted: UnlistedCoins, unit: BitcoinUnit
    ) throws(Failure) {
        func bitcoin(_ amount: Amount) -> String { unit.short(UInt256(amount.satoshis)) }
        func sum(_ isCounted: (SweepPlan.Obstacle) -> Bool) throws(Failure) -> Amount {
            guard let sum = try? Amount.sum(staying.filter { isCounted($0.obstacle) }.map(\.coin.amount)) else {
                throw NodeError.inconsistent(.amount).failure
            }
            return sum
        }
        var parts: [String] = []
        for obstacle in SweepPlan.Obstacle.allCases {
            let amount = try sum { $0 == obstacle }
            if amount > .zero { parts.append("\(bitcoin(amount)) \(Self.reason(obstacle))") }
        }
        if unlisted.count > 0 {
            parts.append(
                "\(bitcoin(unlisted.worth)) in \(unlisted.count) smaller coins is moved when you give the same "
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
        case .largeOrigin: "comes from a transaction that is too large to be shown to a participant"
        case .aboveCeiling: "would cost more than --max-fee allows"
        }
    }
}
