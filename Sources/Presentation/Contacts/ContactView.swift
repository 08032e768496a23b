internal import Texts
internal import Wallet
package import WalletBooks

/// The view of a contact.
package struct ContactView: Encodable {
    package let name: String
    package let chain: String
    package let address: String

    package init(_ contact: Contact) {
        name = contact.name
        address = contact.party.description
        if case .ethereum = contact.party { chain = "ethereum" } else { chain = "bitcoin" }
    }
}

/// A contact that was removed.
package struct RemovedContactView: ResultView {
    let removed: String

    package init(_ name: String) { removed = name }

    package var text: String { "\(removed) is removed from the contacts" }
}
