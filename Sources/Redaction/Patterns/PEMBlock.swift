/// Private keys between lines of PEM (RFC 7468).
enum PEMBlock {
    private static let begin = Array("-----BEGIN ".utf8)
    private static let end = Array("-----END ".utf8)
    private static let name = "PRIVATE KEY"

    /// Returns where a block is whose first line begins at a place; if its end is missing, the rest of the text.
    static func range(at start: Int, in text: ScannedText) -> Range<Int>? {
        guard text[start...].starts(with: begin) else { return nil }
        let label = text[start...].prefix(64)
        guard Array(label).contains(name.utf8) else { return nil }
        let limit = min(text.count, start + RedactionLimits.streamOverlap)
        var place = start + begin.count
        while place < limit {
            if text[place] == end[0], text[place..<limit].starts(with: end) {
                var close = place + end.count
                var dashes = 0
                while close < limit, dashes < 5, text[close] != 0x0A {
                    dashes = text[close] == UInt8(ascii: "-") ? dashes + 1 : 0
                    close += 1
                }
                return start..<close
            }
            place += 1
        }
        return start..<limit
    }
}
