package import Amounts
package import Ethereum
internal import Wallet

extension Wei {
    /// Returns the amount in the usual unit of a chain's coin.
    package func text(on chain: ChainID?) -> String {
        "\(ether) " + (chain.map { Chain.ethereum($0).unit } ?? Self.unknownUnit)
    }

    /// The unit of a chain whose coin is unknown.
    package static let unknownUnit = "coins"
}
