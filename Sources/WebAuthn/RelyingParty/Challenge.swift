public import Secrets

/// What an authenticator is to sign: bytes that nobody could know before. 16 to 1,024; good for one ceremony only, which is
/// for the caller to see to.
public struct Challenge: Sendable {
    /// The random bytes.
    public let bytes: [UInt8]

    /// 32 random bytes.
    public init(from random: some RandomSource) { bytes = random.publicBytes(count: 32) }

    /// Bytes that the caller made, with 16 random ones or an authenticator (MAC) in them.
    ///
    /// - Throws: ``WebAuthnError/malformed(_:)`` with `challenge` if there are less than 16 (Level 3, section 13.4.3), or
    ///   more than 1,024.
    public init(_ bytes: [UInt8]) throws(WebAuthnError) {
        guard WebAuthnLimits.challenge.contains(bytes.count) else { throw .malformed(.challenge) }
        self.bytes = bytes
    }

    /// Whether these are its bytes, in time that depends only on their number.
    func matches(_ other: [UInt8]) -> Bool { constantTimeEquals(bytes, other) }
}
