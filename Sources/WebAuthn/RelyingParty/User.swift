/// The handle of a user's account: 1 to 64 bytes that reveal nothing about the user (Level 3, section 5.4.3).
public struct UserHandle: Hashable, Sendable {
    /// The bytes of the handle, 1...64.
    public let bytes: [UInt8]

    /// Creates a handle of these bytes.
    ///
    /// - Throws: ``WebAuthnError/malformed(_:)`` with `userHandle`.
    public init(_ bytes: some Collection<UInt8>) throws(WebAuthnError) {
        guard WebAuthnLimits.userHandle.contains(bytes.count) else { throw .malformed(.userHandle) }
        self.bytes = Array(bytes)
    }
}

/// The user of a credential. The names are for people, who select among their credentials by them.
public struct User: Equatable, Sendable {
    /// The identifier of the user.
    public let handle: UserHandle
    /// The name with which the user signs in, where one is used.
    public let name: String
    /// The user's display name.
    public let displayName: String

    /// Creates a user.
    ///
    /// - Throws: ``WebAuthnError/malformed(_:)`` with `userName` if a name has more than 256 bytes of UTF-8.
    public init(handle: UserHandle, name: String, displayName: String) throws(WebAuthnError) {
        guard name.utf8.count <= WebAuthnLimits.userNameBytes, displayName.utf8.count <= WebAuthnLimits.userNameBytes
        else { throw .malformed(.userName) }
        self.handle = handle
        self.name = name
        self.displayName = displayName
    }
}
