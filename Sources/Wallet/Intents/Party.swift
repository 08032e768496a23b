internal import Encoding

/// Somebody that an intent gives something to.
public enum Party: Hashable, Sendable {
    case bitcoin(Address<Checked>)
    /// A script that has no address.
    case script(ScriptPubKey)
    case ethereum(EthereumAddress)
}

extension Party: CustomStringConvertible {
    /// The address; of a script its bytes.
    public var description: String {
        switch self {
        case .bitcoin(let address): address.description
        case .script(let script): "script \(Hex.encode(script.bytes))"
        case .ethereum(let address): address.description
        }
    }
}
