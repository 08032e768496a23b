public import Bitcoin
internal import Encoding
public import Ethereum
public import HDKeys

/// Somebody that an intent gives something to.
public enum Party: Hashable, Sendable {
    /// The holder of a Bitcoin address.
    case bitcoin(Address<Checked>)
    /// A script that has no address.
    case script(ScriptPubKey)
    /// An account or a contract of Ethereum.
    case ethereum(EthereumAddress)
    /// An address of the wallet itself, so far that its commands do not look there (`BitcoinLimits.farthestAddress`).
    case own(Address<Checked>, at: AddressPath)

    /// The party whose address it is, as others name it: of ``own(_:at:)`` the address.
    var byAddress: Party {
        if case .own(let address, _) = self { .bitcoin(address) } else { self }
    }
}

extension Party: CustomStringConvertible {
    /// The address; of a script its bytes.
    public var description: String {
        switch self {
        case .bitcoin(let address), .own(let address, _): address.description
        case .script(let script): "script \(Hex.encode(script.bytes))"
        case .ethereum(let address): address.description
        }
    }
}
