internal import Bitcoin
package import Custody
internal import ErrorTexts
package import Nodes
package import Payments
package import Texts
internal import Wallet

/// The balance of a wallet on Bitcoin. Amounts are in satoshi, as decimal text.
package struct BitcoinBalance: Encodable {
    struct Part: Encodable {
        /// The confirmed amount, with coinbase outputs that can be spent.
        let confirmed: String
        /// The amount that unconfirmed transactions pay to the wallet.
        let waiting: String
        /// The amount of immature coinbase outputs, which cannot be spent for 100 blocks.
        let immature: String

        init(_ coins: [Coin]) throws(Failure) {
            func total(_ isCounted: (Coin) -> Bool) throws(Failure) -> String {
                guard let total = try? Amount.sum(coins.filter(isCounted).map(\.amount)) else {
                    throw NodeError.inconsistent(.amount).failure
                }
                return "\(total.satoshis)"
            }
            waiting = try total { $0.confirmations == 0 }
            immature = try total { $0.confirmations > 0 && $0.isYoung }
            confirmed = try total { $0.confirmations > 0 && !$0.isYoung }
        }

        fileprivate func row(_ name: String, in unit: BitcoinUnit, withImmature: Bool) -> [String] {
            [name] + ([confirmed, waiting] + (withImmature ? [immature] : [])).map(unit.full(decimal:))
        }
    }

    let wallet: String
    let chain: String
    /// The height of the newest block.
    let height: UInt32
    let taproot: Part
    let segwit: Part
    let total: Part
    /// The coins that the balance does not count; left out if every coin was examined.
    let not_looked_at: UnlistedCoinsView?
    /// Why the balance may be outdated; left out if the node has all blocks.
    package let warnings: [String]?
    /// The unit of amounts in the text.
    private let unit: BitcoinUnit

    private enum CodingKeys: CodingKey { case wallet, chain, height, taproot, segwit, total, not_looked_at, warnings }

    /// - Parameter lag: the distance of a node that is still loading the chain.
    package init(
        _ spendable: SpendableCoins, of wallet: WalletRecord, height: UInt32, lag: ChainLag?, unit: BitcoinUnit = .btc
    ) throws(Failure) {
        warnings = lag.map { [$0.clause] }
        self.unit = unit
        self.wallet = wallet.name.description
        chain = Chain.bitcoin(wallet.network).description
        self.height = height
        taproot = try Part(spendable.coins.filter { if case .taproot = $0.key { true } else { false } })
        segwit = try Part(spendable.coins.filter { if case .segwit = $0.key { true } else { false } })
        total = try Part(spendable.coins)
        not_looked_at = UnlistedCoinsView(spendable.unlisted)
    }

    package var text: String {
        let hasImmature = total.immature != "0"
        let rows = [
            ["", "confirmed", "waiting"] + (hasImmature ? ["not yet spendable"] : []),
            taproot.row("taproot", in: unit, withImmature: hasImmature),
            segwit.row("segwit", in: unit, withImmature: hasImmature),
            total.row("total", in: unit, withImmature: hasImmature),
        ]
        return "Wallet \(wallet), on \(chain), at block \(height)\n\n"
            + Table(rows, alignedRight: [1, 2, 3]).text
    }
}
