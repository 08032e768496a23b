/// The words and signs of a Swift source, without comments, and without the contents of strings.
struct SourceTokens {
    private(set) var all: [String] = []
    private let bytes: [UInt8]
    private var position = 0

    init(_ source: [UInt8]) {
        bytes = source
        while position < bytes.count { readOne() }
    }

    private func byte(_ offset: Int = 0) -> UInt8? {
        position + offset < bytes.count ? bytes[position + offset] : nil
    }

    private mutating func readOne() {
        guard let first = byte() else { return }
        switch first {
        case UInt8(ascii: "/") where byte(1) == UInt8(ascii: "/"):
            while let next = byte(), next != 0x0A { position += 1 }
        case UInt8(ascii: "/") where byte(1) == UInt8(ascii: "*"):
            skipBlockComment()
        case UInt8(ascii: "\""),
            UInt8(ascii: "#") where byte(1) == UInt8(ascii: "\""):
            skipString()
            all.append("\"\"")
        case _ where Self.isWordByte(first):
            let start = position
            while let next = byte(), Self.isWordByte(next) { position += 1 }
            all.append(String(decoding: bytes[start..<position], as: UTF8.self))
        case 0x09, 0x0A, 0x0D, 0x20:
            position += 1
        default:
            all.append(String(decoding: [first], as: UTF8.self))
            position += 1
        }
    }

    private mutating func skipBlockComment() {
        position += 2
        while position < bytes.count, !(byte() == UInt8(ascii: "*") && byte(1) == UInt8(ascii: "/")) { position += 1 }
        position += 2
    }

    /// Skips a string of one line or of several, with its interpolations.
    private mutating func skipString() {
        var pounds = 0
        while byte() == UInt8(ascii: "#") { (pounds, position) = (pounds + 1, position + 1) }
        let quote = UInt8(ascii: "\"")
        let quotes = byte(1) == quote && byte(2) == quote ? 3 : 1
        position += quotes
        while let next = byte() {
            if next == UInt8(ascii: "\\"), isFollowed(by: pounds) {
                position += 1 + pounds
                if byte() == UInt8(ascii: "(") { skipParentheses() } else { position += 1 }
            } else if (0..<quotes).allSatisfy({ byte($0) == quote }), isFollowed(by: pounds, after: quotes) {
                position += quotes + pounds
                return
            } else {
                position += 1
            }
        }
    }

    private func isFollowed(by pounds: Int, after offset: Int = 1) -> Bool {
        (0..<pounds).allSatisfy { byte(offset + $0) == UInt8(ascii: "#") }
    }

    private mutating func skipParentheses() {
        var depth = 0
        repeat {
            switch byte() {
            case UInt8(ascii: "("): (depth, position) = (depth + 1, position + 1)
            case UInt8(ascii: ")"): (depth, position) = (depth - 1, position + 1)
            case UInt8(ascii: "\""): skipString()
            case nil: return
            default: position += 1
            }
        } while depth > 0
    }

    private static func isWordByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "@"), 0x80...:
            true
        default: false
        }
    }
}
