internal import Curves
internal import Encoding

/// A message that an account signs to show that it is there (EIP-191, version 0x45; `personal_sign`).
///
/// What is signed begins with a byte that no transaction begins with: a message can never be taken for one. A bare hash,
/// as `eth_sign` wants it, could; there is nothing here that signs one.
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

    /// The text, if the bytes are UTF-8. It is somebody else's: it may hold what does not show, or shows as something else.
    public var text: String? { String(validating: bytes, as: UTF8.self) }

    /// What is signed.
    public var hash: [UInt8] {
        Keccak256.hash([0x19] + Array("Ethereum Signed Message:\n\(bytes.count)".utf8) + bytes)
    }

    /// Whether the account signed this.
    public func isSigned(by address: EthereumAddress, _ signature: EthereumSignature) -> Bool {
        signature.signer(ofHash: hash) == address
    }
}
