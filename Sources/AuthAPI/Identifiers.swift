public import Encoding

/// An identifier of 16 random bytes, as text 22 characters of base64url. The type parameter names the identified
/// object: `Identifier<AccountNaming>` cannot be passed for a session's.
public struct Identifier<Named: Sendable>: Hashable, Sendable, CustomStringConvertible {
    /// The identifier's 16 bytes.
    public let bytes: [UInt8]

    /// Creates an identifier; nil unless there are 16 bytes.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    /// Reads the text form. - Throws: `Encoding.EncodingError` for anything else.
    public init(_ text: String) throws(EncodingError) {
        let bytes = try Base64URL.decode(text)
        guard bytes.count == 16 else { throw .truncated }
        self.bytes = bytes
    }

    public var description: String { Base64URL.encode(bytes) }
}

/// The kind of ``AccountID``.
public enum AccountNaming: Sendable {}
/// The kind of ``DeviceID``.
public enum DeviceNaming: Sendable {}
/// The kind of ``SessionID``.
public enum SessionNaming: Sendable {}
/// The kind of ``SecurityEventID``.
public enum SecurityEventNaming: Sendable {}

/// The identifier of an account. It is also WebAuthn's user handle: it reveals nothing about the person.
public typealias AccountID = Identifier<AccountNaming>
/// The identifier of a device: a key of one account that signs DPoP proofs.
public typealias DeviceID = Identifier<DeviceNaming>
/// The identifier of a session: a family of refresh tokens on one device, which signing out ends.
public typealias SessionID = Identifier<SessionNaming>
/// The identifier of a security event of one account.
public typealias SecurityEventID = Identifier<SecurityEventNaming>
