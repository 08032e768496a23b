/// Tokens whose mark stands in the middle.
enum ShapedToken {
    /// Returns the end of the token whose first part is a word; nil if it is none.
    static func end(of word: Range<Int>, in text: ScannedText) -> Int? {
        let mark = text[word.upperBound]
        if mark == UInt8(ascii: "-"), word.count == 32, text[word].allSatisfy({ $0.hexValue != nil }) {
            // Mailchimp: 32 hexadecimal digits and a data centre (its documentation of API keys).
            guard text[word.upperBound...].starts(with: "-us".utf8) else { return nil }
            let end = part(from: word.upperBound + 3, in: text, \.isDigit)
            return (1...2).contains(end - word.upperBound - 3) ? end : nil
        }
        guard mark == UInt8(ascii: "."), (18...30).contains(word.count) else { return nil }
        // Discord: the number of an application in Base64, a time of six characters, and a code of 27 and more (its
        // documentation of authentication).
        let second = part(from: word.upperBound + 1, in: text, \.isBase64)
        guard second - word.upperBound - 1 == 6, second < text.count, text[second] == UInt8(ascii: ".") else {
            return nil
        }
        let end = part(from: second + 1, in: text, \.isBase64)
        return (27...45).contains(end - second - 1) && Randomness.isRandom(text[second..<end]) ? end : nil
    }

    private static func part(from start: Int, in text: ScannedText, _ belongs: (UInt8) -> Bool) -> Int {
        var end = start
        while end < text.count, end - start < 64, belongs(text[end]) { end += 1 }
        return end
    }

    /// Telegram: the number of a bot, a colon, and 35 characters that begin with two A (its documentation of bots).
    static func telegram(at colon: Int, in text: ScannedText) -> Range<Int>? {
        guard colon + 3 < text.count, text[colon + 1] == UInt8(ascii: "A"), text[colon + 2] == UInt8(ascii: "A") else {
            return nil
        }
        var start = colon
        while start > 0, colon - start < 12, text[start - 1].isDigit { start -= 1 }
        let end = part(from: colon + 1, in: text) {
            $0.isAlphanumeric || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-")
        }
        return (7...12).contains(colon - start) && (33...36).contains(end - colon - 1) ? start..<end : nil
    }

    /// Microsoft Entra: three characters, a digit, `Q~` and 31 to 34 more. HashiCorp's `.atlasv1.` likewise.
    ///
    /// - Parameter tilde: the place of `~`.
    static func entra(at tilde: Int, in text: ScannedText) -> Range<Int>? {
        guard tilde >= 5, text[tilde - 1] == UInt8(ascii: "Q"), text[tilde - 2].isDigit else { return nil }
        let start = tilde - 5
        guard text[start..<(tilde - 2)].allSatisfy({ $0.isAlphanumeric || "_~.-".utf8.contains($0) }) else {
            return nil
        }
        let end = part(from: tilde + 1, in: text) { $0.isAlphanumeric || "_~.-".utf8.contains($0) }
        return (30...35).contains(end - tilde - 1) ? start..<end : nil
    }

    /// HashiCorp Terraform: 14 characters, `.atlasv1.` and 60 and more.
    static func atlas(at dot: Int, in text: ScannedText) -> Range<Int>? {
        guard dot >= 14, text[dot...].starts(with: ".atlasv1.".utf8),
            text[(dot - 14)..<dot].allSatisfy(\.isAlphanumeric)
        else {
            return nil
        }
        var end = dot + 9
        while end < text.count, end - dot < 96, text[end].isBase64 || text[end] == UInt8(ascii: "=") { end += 1 }
        return end - dot - 9 >= 60 ? (dot - 14)..<end : nil
    }
}
