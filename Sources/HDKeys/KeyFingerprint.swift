internal import Curves
internal import Encoding

/// The first four bytes of the HASH160 of a public key (BIP-32, key identifiers).
///
/// - Warning: It is a hint, not a proof: anyone can make another key with the same four bytes.
public struct KeyFingerprint: Hashable, Sendable {
    /// The fingerprint's four bytes.
    public let bytes: [UInt8]

    init(of point: Secp256k1.Point) { bytes = Array(Hash160.hash(point.encoded).prefix(4)) }

    package init(fourBytes bytes: [UInt8]) {
        precondition(bytes.count == 4, "a fingerprint has four bytes")
        self.bytes = bytes
    }

    /// Reads eight hexadecimal digits, as ``description`` writes them.
    public init?(_ text: String) {
        guard let bytes = try? Hex.decode(text), bytes.count == 4 else { return nil }
        self.bytes = bytes
    }

    /// The fingerprint of a key without a parent.
    static let none = KeyFingerprint(fourBytes: [0, 0, 0, 0])
}

extension KeyFingerprint: CustomStringConvertible {
    /// The fingerprint as eight hexadecimal digits.
    public var description: String { Hex.encode(bytes) }
}
