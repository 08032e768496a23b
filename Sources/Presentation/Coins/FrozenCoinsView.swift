package import Bitcoin
package import Custody
internal import Texts

/// The frozen coins of a wallet.
package struct FrozenCoinsView: ResultView {
    let wallet: String
    let frozen: [String]

    package init(_ coins: some Sequence<OutPoint>, of wallet: WalletName) {
        (self.wallet, frozen) = (wallet.description, coins.map(\.description).sorted())
    }

    package var text: String {
        (["\(frozen.count) \(frozen.count == 1 ? "coin is" : "coins are") frozen"] + frozen.map { "  \($0)" })
            .joined(separator: "\n")
    }
}
