/// Private keys between lines of PEM (RFC 7468).
enum PEMBlock {
    private static let begin = Array("-----BEGIN ".utf8)
    private static let end = Array("-----END ".utf8)
    private static let name = "PRIVATE KEY"

    /// Returns where a block ends whose first line begins at a place; if its last line is missing, the block ends before
    /// a quote. A first line alone, as programs that read PEM have it, is not a block.
    ///
    /// - Returns: the end of what was read, and whether it is a block; nil if no first line begins there.
    static func end(of start: Int, in text: ScannedText) -> (place: Int, isBlock: Bool)? {
        guard text[start...].starts(with: begin) else { return nil }
        let label = text[start...].prefix(64)
        guard Array(label).contains(name.utf8) else { return nil }
        let limit = min(text.count, start + RedactionLimits.streamOverlap)
        var place = start + begin.count
        while place < limit {
            if text[place].isQuote {
                var end = place
                // The backslashes of an escaped quote are the quote's.
                while end > start, text[end - 1] == UInt8(ascii: "\\") { end -= 1 }
                return (end, hasBody(start..<end, in: text))
            }
            if text[place] == end[0], text[place..<limit].starts(with: end) {
                var close = place + end.count
                var dashes = 0
                while close < limit, dashes < 5, text[close] != 0x0A {
                    dashes = text[close] == UInt8(ascii: "-") ? dashes + 1 : 0
                    close += 1
                }
                return (close, true)
            }
            place += 1
        }
        return (limit, hasBody(start..<limit, in: text))
    }

    /// Whether something follows the first line.
    private static func hasBody(_ block: Range<Int>, in text: ScannedText) -> Bool {
        guard let dash = text[block].dropFirst(begin.count).firstIndex(of: UInt8(ascii: "-")) else { return false }
        return text[dash..<block.upperBound].contains(where: \.isAlphanumeric)
            && text[dash..<block.upperBound].drop { $0 == UInt8(ascii: "-") }.first.map {
                $0.isSpace || $0 == UInt8(ascii: "\\")
            } == true
    }
}
