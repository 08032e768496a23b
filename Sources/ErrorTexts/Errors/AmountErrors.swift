package import Amounts
internal import Ethereum
package import Texts
package import Wallet

extension AmountError {
    /// The failure of an amount on the command line.
    ///
    /// - Parameters:
    ///   - option: the option with the amount.
    ///   - chain: the chain whose coin the amount is in.
    package func failure(of option: String, on chain: ChainName) -> Failure {
        switch (self, chain) {
        case (.malformed, .bitcoin): .usage("\(option) takes an amount with its unit: '0.01btc' or '1500sat'")
        case (.otherUnit, .bitcoin): .usage("\(option) is in another coin: '0.01btc' or '1500sat' is meant")
        case (.outOfRange, .bitcoin): .usage("\(option) exceeds the supply of bitcoin")
        case (_, .ethereum(let id)): failure(of: option, on: id)
        }
    }

    private func failure(of option: String, on chain: ChainID) -> Failure {
        let example = "0.1\(chain.coin.lowercased())"
        guard case .otherUnit = self else {
            return .usage("\(option) takes an amount with its unit: '\(example)' or '30gwei'")
        }
        let place =
            chain.name.map { "the coin of \($0) is \(chain.coin)" } ?? "the coin of \(chain) is not known here"
        return .usage("\(option) is in another coin: \(place), as in '\(example)' or '30gwei'")
    }
}
