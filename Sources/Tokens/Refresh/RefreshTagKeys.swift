internal import Crypto
public import Secrets

/// The server's keys for the tags of refresh tokens, by the number in a token.
///
/// swift-crypto keeps the keys, and wipes them with the last copy of this value.
public struct RefreshTagKeys: Sendable {
    private struct Entry: Sendable {
        let number: UInt8
        let key: SymmetricKey
    }

    /// The number of the key for new tokens.
    public let current: UInt8
    private var entries: [Entry]

    /// Creates the keys from the newest one and its number.
    ///
    /// - Parameters:
    ///   - current: the number of the key for new tokens.
    ///   - secret: 32 random bytes.
    public init(current: UInt8, secret: borrowing SecretBytes) {
        self.current = current
        entries = [Self.entry(current, secret)]
    }

    /// Adds a key for tokens that were made earlier, or by a replica that already uses the next key.
    ///
    /// - Throws: ``TokensError/malformed(_:)`` if a key has this number, ``TokensError/tooLong(limit:)`` if there are too many.
    public mutating func add(_ number: UInt8, secret: borrowing SecretBytes) throws(TokensError) {
        guard entries.count < TokensLimits.tagKeys else { throw .tooLong(limit: TokensLimits.tagKeys) }
        guard key(number) == nil else { throw .malformed(.key) }
        entries.append(Self.entry(number, secret))
    }

    private static func entry(_ number: UInt8, _ secret: borrowing SecretBytes) -> Entry {
        precondition(secret.count == 32, "tags are made with keys of 32 bytes")
        return Entry(number: number, key: secret.withUnsafeBytes { SymmetricKey(data: $0) })
    }

    private func key(_ number: UInt8) -> SymmetricKey? { entries.first { $0.number == number }?.key }

    /// Returns the tag, 16 bytes: truncated HMAC-SHA256 of everything before the tag. Nil if no key has this number.
    func tag(of bytes: [UInt8], by number: UInt8) -> [UInt8]? {
        guard let key = key(number) else { return nil }
        return Array(HMAC<SHA256>.authenticationCode(for: bytes, using: key).prefix(RefreshToken.tagSize))
    }
}
