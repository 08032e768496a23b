package import Amounts
package import Custody
package import Ethereum
package import Wallet

/// The units in which amounts are shown: for tokens those of the list of known tokens and those requested with a
/// payment; for Bitcoin the one that the user has set.
package struct TokenUnits: Sendable {
    /// The units of the list alone.
    package static let listed = TokenUnits()

    private let given: [EthereumAddress: TokenUnit]
    /// The unit of Bitcoin.
    package let bitcoin: BitcoinUnit

    package init(_ units: [TokenUnit] = [], bitcoin: BitcoinUnit = .btc) {
        self.bitcoin = bitcoin
        given = Dictionary(units.map { ($0.contract, $0) }) { first, _ in first }
    }

    /// Returns the same units with another unit of Bitcoin.
    package func showing(_ bitcoin: BitcoinUnit) -> TokenUnits {
        TokenUnits(Array(given.values), bitcoin: bitcoin)
    }

    /// The unit of an asset; nil for coins, for items of collections, and for tokens without a stated unit.
    package subscript(asset: Asset?, on chain: Chain?) -> TokenUnit? {
        guard case .ethereum(let id)? = chain else { return nil }
        switch asset {
        case .token(let contract), .tokenOrItem(let contract):
            return TokenUnit.listed(contract, on: id) ?? given[contract]
        case .coin, .item, nil: return nil
        }
    }
}

extension TokenUnit {
    /// Returns `25 USDC`. A symbol from a contract is quoted: a contract can choose any symbol.
    package func text(_ amount: UInt256) -> String {
        let number = DecimalText.short(amount, decimals)
        guard let symbol else { return "\(number) tokens" }
        return source == .list ? "\(number) \(symbol)" : "\(number) \"\(symbol)\""
    }

    /// Returns the same text with the signed number, which does not depend on any stated decimals.
    package func fullText(_ amount: UInt256) -> String {
        switch source {
        case .list, .user: "\(text(amount)) (\(amount) of the smallest unit)"
        case .node: "\(amount) of the smallest unit, which is \(text(amount)) if the node tells the truth"
        }
    }
}
