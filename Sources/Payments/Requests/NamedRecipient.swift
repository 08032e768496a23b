public import Bitcoin
internal import Encoding
public import Ethereum
public import HDKeys
internal import Wallet
public import WalletBooks

/// A recipient as the user names it: an address, or the name of a contact.
public enum NamedRecipient<Address: Sendable>: Sendable {
    /// An address.
    case address(Address)
    /// The name of a contact.
    case contact(String)
}

extension NamedRecipient where Address == Bitcoin.Address<Checked> {
    /// Reads an address of Bitcoin or a contact's name. A contact's name never looks like an address.
    ///
    /// - Throws: ``PayeeFault/otherNetwork(_:wallet:)``, ``PayeeFault/notAnAddress(_:_:)``.
    public init(_ text: String, on network: Network) throws(PayeeFault) {
        let address: Bitcoin.Address<Unchecked>
        do throws(BitcoinError) { address = try Bitcoin.Address<Unchecked>(text) } catch {
            guard (try? Contact(name: text, party: .script(ScriptPubKey([])))) != nil else {
                throw .notAnAddress(text, error)
            }
            self = .contact(text)
            return
        }
        guard let checked = try? address.require(network) else {
            throw .otherNetwork(Network.allCases.filter { (try? address.require($0)) != nil }, wallet: network)
        }
        self = .address(checked)
    }

    /// Returns the address; a contact's is in the wallet's book.
    ///
    /// - Throws: ``PayeeFault/noSuchContact(_:)``, ``PayeeFault/noAddress(contact:on:)``.
    public func address(among contacts: [Contact], on network: Network) throws(PayeeFault) -> Bitcoin.Address<Checked> {
        switch self {
        case .address(let address): return address
        case .contact(let name):
            guard case .bitcoin(let address) = try contacts.named(name).party, address.network == network else {
                throw .noAddress(contact: name, on: .bitcoin(network))
            }
            return address
        }
    }
}

extension NamedRecipient where Address == EthereumAddress {
    /// Reads an address of Ethereum; every other text is taken for a contact's name.
    ///
    /// - Returns: the recipient, and a finding if the address has no checksum that would detect a mistyped digit. The
    ///   finding is for an address that the wallet has never paid.
    /// - Throws: ``PayeeFault/badChecksum(_:)``, ``PayeeFault/malformedAccount(_:)``.
    public static func read(
        _ text: String
    ) throws(PayeeFault) -> (recipient: NamedRecipient, finding: PaymentFinding?) {
        guard text.lowercased().hasPrefix("0x") else { return (.contact(text), nil) }
        do throws(EthereumError) {
            let (address, checksum) = try EthereumAddress.read(text)
            return (.address(address), checksum == .matches ? nil : .oneCase(text))
        } catch .malformed(.badChecksum) {
            throw .badChecksum(text)
        } catch {
            throw .malformedAccount(text)
        }
    }

    /// Returns the address; a contact's is in the wallet's book.
    ///
    /// - Throws: ``PayeeFault/noSuchContact(_:)``, ``PayeeFault/noAccount(contact:)``.
    public func address(among contacts: [Contact]) throws(PayeeFault) -> EthereumAddress {
        switch self {
        case .address(let address): return address
        case .contact(let name):
            guard case .ethereum(let address) = try contacts.named(name).party else { throw .noAccount(contact: name) }
            return address
        }
    }
}

extension [Contact] {
    fileprivate func named(_ name: String) throws(PayeeFault) -> Contact {
        guard let contact = first(where: { $0.name == name }) else { throw .noSuchContact(name) }
        return contact
    }
}
