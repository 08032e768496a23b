public import Encoding

/// 16 random bytes that name something, as 22 characters of base64url in texts. What it names is its type:
/// `Identifier<AccountNaming>` cannot be passed for a session's.
public struct Identifier<Named: Sendable>: Hashable, Sendable, CustomStringConvertible {
    /// 16 bytes.
    public let bytes: [UInt8]

    /// Nil, unless there are 16 bytes.
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

/// Whose passkeys and sessions. Also the user handle of WebAuthn: nothing about the person can be read from it.
public typealias AccountID = Identifier<AccountNaming>
/// A key that signs DPoP proofs, of one account.
public typealias DeviceID = Identifier<DeviceNaming>
/// A family of refresh tokens, of one device: what is ended by signing out.
public typealias SessionID = Identifier<SessionNaming>
/// A security event, of one account.
public typealias SecurityEventID = Identifier<SecurityEventNaming>
