public import Encoding

/// The fault of a minisign key, signature or comment.
public enum MinisignFault: Error, Equatable, Sendable {
    /// The text is not a minisign public key.
    case badKey(EncodingError)
    /// The text is not a minisign signature file.
    case badSignatureFile(EncodingError)
    /// The signature covers the file itself (`Ed`), and not its digest (`ED`): minisign made such signatures before
    /// version 0.10 by default.
    case legacySignature
    /// The signature names another key.
    case otherKey
    /// The signature is not the key's signature of the file.
    case badSignature
    /// The trusted comment is not the one that was signed.
    case badTrustedComment
    /// The trusted comment is empty, longer than 1,024 bytes, or has a control character.
    case unsignableComment
}
