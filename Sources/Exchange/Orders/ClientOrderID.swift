internal import Encoding
internal import ExchangeCredentials
public import Secrets

/// The client's id of an order: a UUID (RFC 9562, version 4), which both exchanges accept as the order's own name.
///
/// It makes an order unique: the client sends an order of one id once, and finds it again by the id.
public struct ClientOrderID: Hashable, Sendable, CustomStringConvertible {
    /// The id's 16 bytes.
    public let bytes: [UInt8]

    /// Makes a new id.
    public init(random: some RandomSource) {
        var bytes = random.publicBytes(count: 16)
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        self.bytes = bytes
    }

    /// Creates an id of its bytes; nil if there are not 16.
    init?(bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    /// Reads the text: 36 characters, hexadecimal in lower case with four hyphens.
    ///
    /// - Throws: ``ExchangeError/invalid(_:_:)``.
    public init(_ text: String) throws(ExchangeError) {
        let characters = Array(text.utf8)
        guard !characters.isEmpty else { throw .invalid(.orderID, .empty) }
        guard characters.count >= 36 else { throw .invalid(.orderID, .tooShort(least: 36)) }
        guard characters.count == 36 else { throw .invalid(.orderID, .tooLong(most: 36)) }
        var bytes: [UInt8] = []
        var high: UInt8?
        for (offset, character) in characters.enumerated() {
            if [8, 13, 18, 23].contains(offset) {
                guard character == UInt8(ascii: "-") else { throw .invalid(.orderID, .character(offset: offset)) }
                continue
            }
            let digit: UInt8
            switch character {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = character - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = character - UInt8(ascii: "a") + 10
            default: throw .invalid(.orderID, .character(offset: offset))
            }
            if let first = high {
                bytes.append(first << 4 | digit)
                high = nil
            } else {
                high = digit
            }
        }
        self.bytes = bytes
    }

    /// The text.
    public var description: String {
        [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { Hex.encode(bytes[$0]) }.joined(separator: "-")
    }
}
