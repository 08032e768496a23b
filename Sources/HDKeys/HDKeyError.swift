public import Encoding

/// An error in a derivation path or an extended key. It never contains the input itself.
public enum HDKeyError: Error, Equatable, Sendable {
    /// Text of an extended key that does not decode (Base58Check).
    case malformed(EncodingError)
    /// A derivation path that is malformed, too long, or hardened where only a public key is available.
    case badPath
    /// Bytes that are not a key of the curve, or contradict themselves.
    case badKey
    /// An extended key of another network.
    case wrongNetwork
    /// An extended key whose prefix names a kind of scripts, where a standard prefix is required.
    case otherScripts(ScriptPrefix)
}
