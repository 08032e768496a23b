public import Secrets

/// The challenge that an authenticator signs: 16 to 1,024 unpredictable bytes. It is valid for one ceremony only, which
/// the caller must ensure.
public struct Challenge: Sendable {
    /// The random bytes.
    public let bytes: [UInt8]

    /// Makes a challenge of 32 random bytes.
    public init(from random: some RandomSource) { bytes = random.publicBytes(count: 32) }

    /// Creates a challenge of the caller's bytes, which contain 16 random bytes or a MAC.
    ///
    /// - Throws: ``WebAuthnError/malformed(_:)`` with `challenge` if there are fewer than 16 (Level 3, section 13.4.3),
    ///   or more than 1,024.
    public init(_ bytes: [UInt8]) throws(WebAuthnError) {
        guard WebAuthnLimits.challenge.contains(bytes.count) else { throw .malformed(.challenge) }
        self.bytes = bytes
    }

    /// Returns whether the bytes are equal, in time that depends only on their number.
    func matches(_ other: [UInt8]) -> Bool { constantTimeEquals(bytes, other) }
}
