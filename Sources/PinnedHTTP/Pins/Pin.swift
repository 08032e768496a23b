internal import Encoding

/// The SHA-256 hash of a certificate's public key, as DER of its SubjectPublicKeyInfo (RFC 7469, section 2.4).
public struct Pin: Hashable, Sendable, CustomStringConvertible {
    /// The hash: 32 bytes.
    public let bytes: [UInt8]

    /// Creates a pin from its hash.
    ///
    /// - Returns: nil if there are not 32 bytes.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        self.bytes = bytes
    }

    /// Reads the usual text: `sha256/` with 44 characters of Base64.
    public init?(_ text: String) {
        guard text.hasPrefix(Self.prefix), let bytes = try? Base64.decode(String(text.dropFirst(Self.prefix.count)))
        else { return nil }
        self.init(bytes: bytes)
    }

    /// Reads pins that are separated by spaces or commas; nil without a pin, or if one is malformed.
    package static func list(in text: String) -> [Pin]? {
        let texts = text.split { $0 == " " || $0 == "," }
        let pins = texts.compactMap { Pin(String($0)) }
        return texts.isEmpty || pins.count != texts.count ? nil : pins
    }

    /// The usual text: `sha256/AAAA…=`.
    public var description: String { Self.prefix + Base64.encode(bytes) }

    private static let prefix = "sha256/"
}
