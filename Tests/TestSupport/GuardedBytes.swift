public import Secrets

/// A secret with these bytes, for tests: the array that they came in is not wiped.
public func guarded(_ bytes: [UInt8]) -> SecretBytes {
    var copy = bytes
    return SecretBytes(moving: &copy)
}

/// A secret with the bytes of a text.
public func guarded(_ text: String) -> SecretBytes { guarded(Array(text.utf8)) }

extension SecretBytes {
    /// The bytes of the secret, for a test to look at.
    public var exposed: [UInt8] { withUnsafeBytes { Array($0) } }
    /// The secret as text.
    public var exposedText: String { String(decoding: exposed, as: UTF8.self) }
}
