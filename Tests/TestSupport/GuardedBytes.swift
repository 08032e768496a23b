public import Secrets

/// Creates a secret with these bytes, for tests: the array itself is not wiped.
public func guarded(_ bytes: [UInt8]) -> SecretBytes {
    var copy = bytes
    return SecretBytes(moving: &copy)
}

/// Creates a secret with the bytes of a text.
public func guarded(_ text: String) -> SecretBytes { guarded(Array(text.utf8)) }

extension SecretBytes {
    /// The bytes of the secret, for a test to inspect.
    public var exposed: [UInt8] { withUnsafeBytes { Array($0) } }
    /// The secret as text.
    public var exposedText: String { String(decoding: exposed, as: UTF8.self) }
}
