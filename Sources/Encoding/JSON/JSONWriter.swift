extension JSON {
    /// The text of the value without white space, in UTF-8, with the necessary escapes only.
    public var encoded: [UInt8] {
        var writer = JSONWriter()
        writer.write(self)
        return writer.bytes
    }

    /// The text of the value without white space.
    public var text: String { String(decoding: encoded, as: UTF8.self) }
}

/// A writer of JSON.
struct JSONWriter {
    private(set) var bytes: [UInt8] = []

    mutating func write(_ value: JSON) {
        switch value {
        case .null: bytes += Array("null".utf8)
        case .bool(let value): bytes += Array((value ? "true" : "false").utf8)
        case .number(let number): bytes += Array(number.text.utf8)
        case .string(let text): write(text)
        case .array(let elements):
            bytes.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                write(element)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let object):
            bytes.append(UInt8(ascii: "{"))
            for (index, member) in object.members.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                write(member.name)
                bytes.append(UInt8(ascii: ":"))
                write(member.value)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }

    private mutating func write(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { text in
            // Nearly every text needs no escapes and is copied as a whole.
            if text.allSatisfy({ $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }) {
                bytes.append(contentsOf: text)
            } else {
                escape(text)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func escape(_ text: UnsafeBufferPointer<UInt8>) {
        for byte in text {
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
                bytes += [UInt8(ascii: "\\"), byte]
            } else if byte >= 0x20 {
                bytes.append(byte)
            } else if let letter = Self.letters.first(where: { $0.byte == byte })?.letter {
                bytes += [UInt8(ascii: "\\"), letter]
            } else {
                bytes += Array("\\u00\(Hex.encode([byte]))".utf8)
            }
        }
    }

    /// The control characters whose escape is a letter.
    private static let letters: [(letter: UInt8, byte: UInt8)] = [
        (UInt8(ascii: "b"), 0x08), (UInt8(ascii: "f"), 0x0c), (UInt8(ascii: "n"), 0x0a), (UInt8(ascii: "r"), 0x0d),
        (UInt8(ascii: "t"), 0x09),
    ]

    /// Returns the character of an escape letter after a backslash.
    static func byte(of letter: UInt8) -> UInt8? { letters.first { $0.letter == letter }?.byte }
}
