internal import Curves
internal import Encoding

/// A message that an account signs, for example to sign in (EIP-191, version 0x45; `personal_sign`).
///
/// The signed bytes begin with a byte with which no transaction begins, so a message cannot be used as a transaction. A
/// bare hash, as in `eth_sign`, could be; this library never signs one.
public struct PersonalMessage: Hashable, Sendable {
    /// The message without its prefix.
    public let bytes: [UInt8]

    /// Creates a message of these bytes.
    ///
    /// - Throws: ``EthereumError/malformed(_:)`` if there are more than ``EthereumLimits/messageBytes``.
    public init(bytes: some Collection<UInt8>) throws(EthereumError) {
        guard bytes.count <= EthereumLimits.messageBytes else {
            throw .malformed(.tooLong(limit: EthereumLimits.messageBytes))
        }
        self.bytes = Array(bytes)
    }

    /// A message of text, in UTF-8.
    public init(_ text: String) throws(EthereumError) { try self.init(bytes: text.utf8) }

    /// The text, if the bytes are UTF-8. It is untrusted: it may contain characters that are invisible or look like
    /// others.
    public var text: String? { String(validating: bytes, as: UTF8.self) }

    /// The hash that is signed.
    public var hash: [UInt8] {
        Keccak256.hash([0x19] + Array("Ethereum Signed Message:\n\(bytes.count)".utf8) + bytes)
    }

    /// Returns whether the account signed this message.
    public func isSigned(by address: EthereumAddress, _ signature: EthereumSignature) -> Bool {
        signature.signer(ofHash: hash) == address
    }
}
