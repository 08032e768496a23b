internal import Crypto
internal import Encoding
public import Secrets

/// The public half of an exchange's credential. With the secret it lets its bearer act, and alone it identifies an
/// account: it prints only its first four characters.
public struct APIKey: Equatable, Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The exchange that issued it.
    public let venue: Venue
    /// The text for the request's header.
    package let text: String

    /// Reads a key: of Binance, 64 letters and digits; of Kraken, 56 characters of Base64.
    ///
    /// - Throws: ``CredentialError/invalid(_:_:)``.
    public init(_ text: String, of venue: Venue) throws(CredentialError) {
        if let fault = Self.fault(in: text, of: venue) { throw .invalid(.key, fault) }
        self.venue = venue
        self.text = text
    }

    /// Reads a key from a file or a prompt. Line breaks at its end are ignored, since files and terminals add them.
    ///
    /// - Throws: ``CredentialError/invalid(_:_:)``.
    public init(reading text: borrowing SecretBytes, of venue: Venue) throws(CredentialError) {
        guard text.count <= CredentialLimits.keyFileBytes else {
            throw .invalid(.key, .tooLong(most: CredentialLimits.keyFileBytes))
        }
        let read = text.withUnsafeBytes { bytes in
            String(validating: bytes.prefix { $0 != 0x0A && $0 != 0x0D }, as: UTF8.self).map { line in
                (line: line, isOneLine: bytes.dropFirst(line.utf8.count).allSatisfy { $0 == 0x0A || $0 == 0x0D })
            }
        }
        guard let read else { throw .invalid(.key, .character(offset: 0)) }
        guard read.isOneLine else { throw .invalid(.key, .space(offset: read.line.unicodeScalars.count)) }
        try self.init(read.line, of: venue)
    }

    private static func fault(in text: String, of venue: Venue) -> InputFault? {
        let scalars = text.unicodeScalars
        guard !scalars.isEmpty else { return .empty }
        let size = scalars.count
        let isBase64 = scalars.allSatisfy(InputCheck.isBase64)
        switch venue {
        case .binance:
            if isBase64, size == CredentialLimits.krakenKeyCharacters, (try? Base64.decode(text)) != nil {
                return .otherVenue(.kraken)
            }
            if let fault = InputCheck.fault(in: scalars, allowing: InputCheck.isAlphanumeric) { return fault }
            return Self.size(size, CredentialLimits.binanceKeyCharacters)
        case .kraken:
            if size == CredentialLimits.krakenSecretCharacters, isBase64 { return .secretInPlaceOfKey }
            if size == CredentialLimits.binanceKeyCharacters, scalars.allSatisfy(InputCheck.isAlphanumeric) {
                return .otherVenue(.binance)
            }
            if let fault = InputCheck.fault(in: scalars, allowing: InputCheck.isBase64) { return fault }
            if let fault = Self.size(size, CredentialLimits.krakenKeyCharacters) { return fault }
            return (try? Base64.decode(text)) == nil ? .notBase64 : nil
        }
    }

    private static func size(_ size: Int, _ expected: Int) -> InputFault? {
        if size < expected { return .tooShort(least: expected) }
        return size > expected ? .tooLong(most: expected) : nil
    }

    /// A short name of the key for files and tombstones: half of the SHA-256 hash of the exchange and the key, in
    /// hexadecimal. The key cannot be found from it, since keys cannot be guessed.
    public var fingerprint: String {
        Hex.encode(Array(SHA256.hash(data: Array("\(venue.rawValue)\n\(text)".utf8)).prefix(16)))
    }

    /// The first four characters and an ellipsis.
    public var hint: String { "\(text.prefix(4))…" }

    /// The hint.
    public var description: String { hint }
    /// The hint.
    public var debugDescription: String { hint }
    /// A mirror without members, so that `dump` does not print the key.
    public var customMirror: Mirror { Mirror(self, children: ["key": hint]) }
}
