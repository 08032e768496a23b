internal import Custody
internal import Encoding
internal import Ethereum
internal import Payments
internal import Terminal
internal import Wallet

/// Who is paid on Ethereum, as a person names them.
enum EthereumRecipient {
    case address(EthereumAddress)
    case contact(String)

    /// Reads an address, or takes the text for a contact's name.
    ///
    /// - Returns: with a finding, if nothing tells whether the address was mistyped. It is for who is not known.
    /// - Throws: a ``Failure`` for what looks like an address and is none.
    static func read(_ text: String) throws(Failure) -> (recipient: EthereumRecipient, finding: PaymentFinding?) {
        guard text.lowercased().hasPrefix("0x") else { return (.contact(text), nil) }
        do throws(EthereumError) {
            let (address, checksum) = try EthereumAddress.read(text)
            return (.address(address), checksum == .matches ? nil : .oneCase(text))
        } catch .malformed(.badChecksum) {
            throw Failure(
                code: .malformed, name: "bad_checksum",
                message: "\(text): small and large letters do not match, so that a character is mistyped or lost")
        } catch {
            throw Failure(
                code: .malformed, name: "bad_address", message: "\(text) is no address: 0x and 40 hexadecimal digits")
        }
    }

    /// - Throws: a ``Failure`` if there is no such contact, or it has no address on Ethereum.
    func address(among contacts: [Contact]) throws(Failure) -> EthereumAddress {
        switch self {
        case .address(let address): return address
        case .contact(let name):
            guard case .ethereum(let address) = try Contact.named(name, among: contacts).party else {
                throw .contact(name, hasNoAddress: "on Ethereum")
            }
            return address
        }
    }
}
