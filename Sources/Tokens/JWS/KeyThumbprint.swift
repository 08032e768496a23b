internal import Encoding

/// The SHA-256 thumbprint of a public key (RFC 7638): the `kid` of a key that signs tokens, the `jkt` of a device.
public struct KeyThumbprint: Hashable, Sendable, CustomStringConvertible {
    /// The thumbprint's 32 bytes.
    public let bytes: [UInt8]

    /// Creates a thumbprint; nil unless there are 32 bytes.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        self.bytes = bytes
    }

    /// Reads 43 characters of base64url. - Throws: ``TokensError/malformed(_:)`` for anything else.
    public init(_ text: String) throws(TokensError) {
        guard let bytes = try? Base64URL.decode(Array(text.utf8)[...]),
            let thumbprint = KeyThumbprint(bytes: bytes)
        else { throw .malformed(.thumbprint) }
        self = thumbprint
    }

    init(unchecked bytes: [UInt8]) { self.bytes = bytes }

    /// The thumbprint as 43 characters of base64url.
    public var description: String { Base64URL.encode(bytes) }
}
