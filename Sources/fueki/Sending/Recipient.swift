internal import Bitcoin
internal import Custody
internal import HDKeys
internal import Terminal
internal import Wallet

/// Who is to be paid: an address, or the name of a contact.
enum Recipient {
    case address(Address<Checked>)
    case contact(String)

    /// Reads what stands on the command line, before anything is asked for.
    ///
    /// - Throws: for an address of another network, and for what looks like an address and is none: a name cannot (``Contact``).
    init(_ text: String, on network: Network) throws(Failure) {
        if let address = try? Address<Unchecked>(text) {
            guard let checked = try? address.require(network) else {
                let names = Network.allCases.filter { (try? address.require($0)) != nil }.map(\.name)
                throw Failure(
                    code: .malformed, name: "bad_input",
                    message: "this is for another network: \(names.joined(separator: " or ")); "
                        + "the wallet is on \(network.name)")
            }
            self = .address(checked)
        } else if (try? Contact(name: text, party: Self.nobody)) != nil {
            self = .contact(text)
        } else {
            var failure = BitcoinError.badAddress.failure
            if text.lowercased().hasPrefix("0x") { failure.hint = "for an address of Ethereum, add --chain ethereum" }
            throw failure
        }
    }

    private static let nobody = Party.script(ScriptPubKey([]))

    /// The address; of a contact, what the book says.
    func address(among contacts: [Contact], on network: Network) throws(Failure) -> Address<Checked> {
        switch self {
        case .address(let address): return address
        case .contact(let name):
            let contact = try Contact.named(name, among: contacts)
            guard case .bitcoin(let address) = contact.party, address.network == network else {
                throw .contact(name, hasNoAddress: "of \(network.name)")
            }
            return address
        }
    }
}

extension Contact {
    /// - Throws: a ``Failure`` if there is none of this name.
    static func named(_ name: String, among contacts: [Contact]) throws(Failure) -> Contact {
        guard let contact = contacts.first(where: { $0.name == name }) else {
            throw Failure(
                code: .malformed, name: "no_such_contact",
                message: "'\(name)' is neither an address nor a contact of this wallet",
                hint: "'fueki contact list' with the wallet's name lists those there are")
        }
        return contact
    }
}

extension Failure {
    /// - Parameter place: `of regtest`, `on Ethereum`.
    static func contact(_ name: String, hasNoAddress place: String) -> Failure {
        Failure(code: .malformed, name: "other_chain", message: "the contact '\(name)' has no address \(place)")
    }
}
