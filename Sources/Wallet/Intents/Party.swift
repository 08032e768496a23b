public import Bitcoin
internal import Encoding
public import Ethereum
public import HDKeys

/// A party that gains by an effect.
public enum Party: Hashable, Sendable {
    /// The owner of a Bitcoin address.
    case bitcoin(Address<Checked>)
    /// A script that has no address.
    case script(ScriptPubKey)
    /// An account or a contract of Ethereum.
    case ethereum(EthereumAddress)
    /// An address of the wallet itself, at an index so high that its commands do not look there
    /// (`BitcoinLimits.farthestAddress`).
    case own(Address<Checked>, at: AddressPath)

    /// The party as others name it: for ``own(_:at:)``, its address.
    var byAddress: Party {
        if case .own(let address, _) = self { .bitcoin(address) } else { self }
    }
}

extension Party: CustomStringConvertible {
    /// The address, or the bytes of a script without one.
    public var description: String {
        switch self {
        case .bitcoin(let address), .own(let address, _): address.description
        case .script(let script): "script \(Hex.encode(script.bytes))"
        case .ethereum(let address): address.description
        }
    }
}
