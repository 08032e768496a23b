internal import Encoding
package import Secrets

/// The identity of a vault: 16 random bytes, drawn once. Everything in the vault is bound to it.
public struct VaultID: Hashable, Sendable {
    static let size = 16

    /// The identity's 16 bytes.
    public let bytes: [UInt8]

    /// Draws an identity.
    package init(from random: some RandomSource) { bytes = random.publicBytes(count: Self.size) }

    /// Reads the identity that ``description`` writes; nil for any other text.
    init?(_ text: String) {
        guard let bytes = try? Hex.decode(text), bytes.count == Self.size, Hex.encode(bytes) == text else { return nil }
        self.bytes = bytes
    }

    init(unchecked bytes: [UInt8]) { self.bytes = bytes }
}

extension VaultID: CustomStringConvertible {
    /// The identity as 32 hexadecimal digits.
    public var description: String { Hex.encode(bytes) }
}
