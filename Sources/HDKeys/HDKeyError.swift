public import Encoding

/// What is wrong with a derivation path or an extended key. Never the input itself.
public enum HDKeyError: Error, Equatable, Sendable {
    /// Text of an extended key that does not decode (Base58Check).
    case malformed(EncodingError)
    /// A derivation path that is malformed, too long, or hardened where only a public key is at hand.
    case badPath
    /// Bytes that are not a key of the curve, or contradict themselves.
    case badKey
    /// An extended key of another network.
    case wrongNetwork
    /// An extended key whose prefix says for which scripts it is, where a standard one is asked for.
    case otherScripts(ScriptPrefix)
}
