package import Custody
internal import HDKeys
internal import Texts
internal import Threshold

/// A wallet in a list. A damaged wallet is listed as damaged.
package struct WalletListEntry: Encodable {
    let name: String
    let network: String?
    let threshold: Int?
    let total: Int?
    /// The reason why the wallet cannot be used; null if it can.
    let error: String?

    package init(_ wallet: WalletRecord) {
        name = wallet.name.description
        network = wallet.network.name
        (threshold, total) = (wallet.parameters.threshold, wallet.parameters.total)
        error = nil
    }

    package init(_ name: WalletName, _ error: CustodyError) {
        self.name = name.description
        (network, threshold, total) = (nil, nil, nil)
        self.error = error.failure.message
    }

    /// The row of the table.
    package var row: [String] {
        guard let network, let threshold, let total else { return [name, error ?? ""] }
        return [name, network, "\(threshold) of \(total)"]
    }
}
