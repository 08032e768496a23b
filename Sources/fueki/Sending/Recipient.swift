internal import Custody
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
            self = .address(try attempt { () throws(WalletError) in try address.require(network) })
        } else if (try? Contact(name: text, party: Self.nobody)) != nil {
            self = .contact(text)
        } else {
            throw WalletError.badAddress.failure
        }
    }

    private static let nobody = Party.script(ScriptPubKey([]))

    /// The address; of a contact, what the book says.
    func address(among contacts: [Contact], on network: Network) throws(Failure) -> Address<Checked> {
        switch self {
        case .address(let address): return address
        case .contact(let name):
            guard let contact = contacts.first(where: { $0.name == name }) else {
                throw Failure(
                    code: .badInput, name: "bad_input",
                    message: "'\(name)' is neither an address nor a contact of this wallet")
            }
            guard case .bitcoin(let address) = contact.party, address.network == network else {
                throw Failure(
                    code: .badInput, name: "bad_input",
                    message: "the contact '\(name)' has no address of \(network.name)")
            }
            return address
        }
    }
}
