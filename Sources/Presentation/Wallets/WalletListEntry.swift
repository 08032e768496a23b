package import Custody
internal import ErrorTexts
internal import HDKeys
internal import Texts
internal import Threshold

/// A wallet in a list. A damaged wallet is listed as damaged.
package struct WalletListEntry: Encodable {
    /// The wallet's own name.
    let name: String
    /// The name that the user gave it later; absent if it has none.
    let label: String?
    let network: String?
    let threshold: Int?
    let total: Int?
    /// The reason why the wallet cannot be used; null if it can.
    let error: String?

    package init(_ wallet: WalletRecord, label: WalletName?) {
        self.label = label?.description
        name = wallet.name.description
        network = wallet.network.name
        (threshold, total) = (wallet.parameters.threshold, wallet.parameters.total)
        error = nil
    }

    package init(_ name: WalletName, label: WalletName?, _ error: CustodyError) {
        self.label = label?.description
        self.name = name.description
        (network, threshold, total) = (nil, nil, nil)
        self.error = error.failure.message
    }

    private var title: String { WalletTitle.text(name, label) }

    /// The row of the table.
    package var row: [String] {
        guard let network, let threshold, let total else { return [title, error ?? ""] }
        return [title, network, "\(threshold) of \(total)"]
    }
}
