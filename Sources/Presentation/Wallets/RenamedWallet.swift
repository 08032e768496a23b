package import Custody
internal import Texts

/// The names of a wallet after a renaming.
package struct RenamedWallet: ResultView {
    let name: String
    /// The label; absent if the wallet has none now.
    let label: String?

    package init(_ name: WalletName, _ label: WalletName?) {
        (self.name, self.label) = (name.description, label?.description)
    }

    package var text: String {
        guard let label else { return "the wallet '\(name)' has its own name again" }
        return "the wallet '\(name)' is called '\(label)' on this machine; its share files keep the name '\(name)'"
    }
}
