internal import Amounts
internal import Bitcoin
internal import Custody
internal import Nodes
internal import Payments
internal import Terminal
internal import Wallet

/// What a wallet has on Bitcoin. In satoshi, as decimal text.
struct BitcoinBalance: Encodable {
    struct Part: Encodable {
        /// In blocks; the new bitcoin of miners, once it can be spent.
        let confirmed: String
        /// Paid to the wallet by a transaction that waits for a block.
        let waiting: String
        /// New bitcoin, which nobody can spend for 100 blocks.
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

        fileprivate func row(_ name: String, withImmature: Bool) -> [String] {
            [name] + [confirmed, waiting].map(bitcoin) + (withImmature ? [bitcoin(immature)] : [])
        }

        private func bitcoin(_ satoshis: String) -> String {
            "\((try? UInt256(decimal: satoshis)).map { DecimalText.full($0, .bitcoin) } ?? satoshis) BTC"
        }
    }

    let wallet: String
    let chain: String
    /// Of the newest block.
    let height: UInt32
    let taproot: Part
    let segwit: Part
    let total: Part
    /// What is not counted: left out where everything was looked at.
    let not_looked_at: UnlistedCoinsView?

    init(_ spendable: SpendableCoins, of wallet: WalletRecord, height: UInt32) throws(Failure) {
        self.wallet = wallet.name.description
        chain = Chain.bitcoin(wallet.network).description
        self.height = height
        taproot = try Part(spendable.coins.filter { if case .taproot = $0.key { true } else { false } })
        segwit = try Part(spendable.coins.filter { if case .segwit = $0.key { true } else { false } })
        total = try Part(spendable.coins)
        not_looked_at = UnlistedCoinsView(spendable.unlisted)
    }

    var text: String {
        let hasImmature = total.immature != "0"
        let rows = [
            ["", "confirmed", "waiting"] + (hasImmature ? ["not yet spendable"] : []),
            taproot.row("taproot", withImmature: hasImmature), segwit.row("segwit", withImmature: hasImmature),
            total.row("total", withImmature: hasImmature),
        ]
        return "Wallet \(wallet), on \(chain), at block \(height)\n\n"
            + Table(rows, alignedRight: [1, 2, 3]).text
    }
}

/// The coins that a node lists, and that are not looked at.
struct UnlistedCoinsView: Encodable {
    let count: Int
    /// What they are worth together, in satoshi, as the node says.
    let amount: String
    /// Addresses with so many coins that they cannot be listed, or not all of them.
    let crowded: [String]

    /// Nil if every coin was looked at.
    init?(_ unlisted: UnlistedCoins) {
        guard !unlisted.isEmpty else { return nil }
        count = unlisted.count
        amount = "\(unlisted.worth.satoshis)"
        crowded = unlisted.crowded.map(\.description)
    }
}

extension Coin {
    /// New bitcoin that nobody can spend yet.
    var isYoung: Bool { isCoinbase && confirmations < BitcoinLimits.coinbaseMaturity }
}
