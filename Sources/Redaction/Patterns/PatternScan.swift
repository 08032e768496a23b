internal import Mnemonics

/// Reads a text once, and finds what is secret by its look or by the name next to it.
///
/// Whatever the text is, the time grows with its size only: each look around a place ends after a bounded number of bytes.
struct PatternScan {
    let text: ScannedText
    var findings = Findings()
    /// Whether the text has signs of encodings that may hide something.
    private(set) var hasPercent = false
    private(set) var hasBackslash = false

    private let words = KeyWords.tables
    private var phrase = WordRun()
    /// The start of the run of Base64's characters that is being read.
    private var base64Start: Int?
    private var lastWordEnd = 0
    /// Where the last value behind a name, the last block of PEM and the last run of a token's characters end: what
    /// begins before is part of them, and is not read again.
    private var valueEnd = 0
    private var blockEnd = 0
    private var tokenEnd = 0
    /// Where the last URL and the last JWT end, and how often another one was read inside.
    private var url = Nested()
    private var jwt = Nested()
    /// How deep the text was encoded in Base64.
    private let depth: Int

    /// The fewest characters of Base64 that are decoded: the shortest secret that a pattern finds has more.
    private static let leastBase64 = 24

    init(of text: [UInt8], depth: Int = 0) {
        self.text = ScannedText(text)
        self.depth = depth
    }

    mutating func run() {
        var place = 0
        while place < text.count {
            let byte = text[place]
            if byte.isAlphanumeric {
                place = word(from: place)
            } else if let size = RedactedKind.marker(at: place, in: text) {
                // Its words are nobody's.
                endBase64(at: place)
                endPhrase()
                place += size
            } else {
                if byte != UInt8(ascii: " ") { sign(byte, at: place) }
                place += 1
            }
        }
        endBase64(at: text.count)
        endPhrase()
    }

    // MARK: Words

    /// Reads letters and digits.
    ///
    /// - Returns: where they end.
    private mutating func word(from start: Int) -> Int {
        var (end, letters, hasLetters, hasDigits) = (start, UInt64(0), false, false)
        while end < text.count {
            let byte = text[end]
            if byte.isLetter {
                hasLetters = true
            } else if byte.isDigit {
                hasDigits = true
            } else {
                break
            }
            letters = letters << 8 | UInt64(byte.lowercased)
            end += 1
        }
        let size = end - start
        startBase64(at: start)
        lastWordEnd = end
        if !hasDigits, size <= KeyWords.longestWord {
            addToPhrase(letters, start..<end)
            if size >= 4, size <= 6, words.schemes.contains(letters) { scheme(start..<end) }
        } else if hasLetters || size > 2 {
            // Digits may number the words of a phrase.
            endPhrase()
        }
        if size >= 2, size <= KeyWords.longestPrefix { prefix(letters, start..<end) }
        if size >= 16 { longWord(start..<end) }
        return end
    }

    private mutating func addToPhrase(_ letters: UInt64, _ range: Range<Int>) {
        guard words.mnemonic.contains(letters) else { return endPhrase() }
        if let last = phrase.end, range.lowerBound - last > WordRun.widestGap { endPhrase() }
        phrase.add(range)
    }

    private mutating func endPhrase() {
        guard let range = phrase.close() else { return }
        findings.add(range, .mnemonic)
    }

    /// A run that is too long for a word.
    private mutating func longWord(_ range: Range<Int>) {
        switch range.count {
        case 51, 52, 111:
            if let kind = EncodedKey.kind(of: text[range]) { findings.add(range, kind) }
        case 64, 66, 128, 130: hexKey(range)
        default: break
        }
        guard EncodedKey.startsToken(text[range]), jwt.mayRead(from: range.lowerBound) else { return }
        let (end, isToken) = EncodedKey.endOfToken(from: range.lowerBound, in: text)
        jwt.wasRead(from: range.lowerBound, to: end)
        if isToken { findings.add(range.lowerBound..<end, .token) }
    }

    /// 64 hexadecimal digits, or the 128 of a seed, are a hash or a public key as often as a secret: the words before them tell.
    private mutating func hexKey(_ range: Range<Int>) {
        let isPrefixed = range.count % 4 == 2
        let digits = isPrefixed ? range.dropFirst(2) : range
        if isPrefixed {
            guard text[range.lowerBound] == UInt8(ascii: "0"),
                text[range.lowerBound + 1].lowercased == UInt8(ascii: "x")
            else { return }
        }
        guard digits.allSatisfy({ text[$0].hexValue != nil }) else { return }
        if KeyWords.arePrivate(before: range.lowerBound, in: text) {
            findings.add(range, .privateKey)
        }
    }

    /// What services put in front of their tokens.
    private mutating func prefix(_ letters: UInt64, _ range: Range<Int>) {
        guard words.tokenPrefixes.contains(letters), let least = KeyWords.tokenPrefixes[letters],
            range.upperBound < text.count,
            text[range.upperBound] == UInt8(ascii: "_") || text[range.upperBound] == UInt8(ascii: "-")
        else { return }
        let end = endOfToken(from: range.upperBound)
        if end - range.upperBound >= least { findings.add(range.lowerBound..<end, .token) }
    }

    /// `Bearer TOKEN` or `Basic TOKEN` (RFC 9110, section 11.6.2).
    private mutating func scheme(_ range: Range<Int>) {
        guard range.upperBound < text.count, text[range.upperBound] == UInt8(ascii: " ") else { return }
        let start = range.upperBound + 1
        let end = endOfToken(from: start)
        // "Basic authentication" is no token.
        guard end - start >= 8, text[start..<end].contains(where: { !$0.isLetter }) || end - start >= 20
        else { return }
        findings.add(start..<end, .token)
    }

    // MARK: Signs

    private mutating func sign(_ sign: UInt8, at place: Int) {
        switch sign {
        case UInt8(ascii: "%"): hasPercent = true
        case UInt8(ascii: "\\"): hasBackslash = true
        case UInt8(ascii: "-"):
            guard place >= blockEnd, let block = PEMBlock.range(at: place, in: text) else { return }
            endBase64(at: place)
            findings.add(block, .privateKey)
            blockEnd = block.upperBound
        case UInt8(ascii: ":"):
            if !readURL(at: place) { named(at: place) }
        case UInt8(ascii: "="): named(at: place)
        default: break
        }
    }

    /// A value behind its name: `password=…`, `"api_secret": "…"`, `Authorization: …`.
    private mutating func named(at sign: Int) {
        guard sign >= valueEnd else { return }
        if let name = NamedValue.name(before: sign, in: text, words) {
            guard let range = NamedValue.range(of: name, after: sign, in: text) else { return }
            findings.add(range, .credential)
            valueEnd = range.upperBound
        } else if let range = URLParts.secretValue(after: sign, in: text) {
            findings.add(range, .urlValue)
            valueEnd = range.upperBound
        }
    }

    private mutating func readURL(at colon: Int) -> Bool {
        guard url.mayRead(from: colon), let parts = URLParts(at: colon, in: text) else { return false }
        url.wasRead(from: colon, to: parts.end)
        if let password = parts.password { findings.add(password, .urlValue) }
        for value in parts.secretValues(in: text, words) { findings.add(value, .urlValue) }
        return true
    }

    // MARK: Base64

    private mutating func startBase64(at start: Int) {
        if base64Start != nil {
            // It goes on behind its marks.
            if text[lastWordEnd..<start].allSatisfy(\.isBase64Mark) { return }
            endBase64(at: lastWordEnd)
        }
        base64Start = start
    }

    /// Reads what was written in Base64: a token within it has none of the looks of a token.
    private mutating func endBase64(at limit: Int) {
        guard let start = base64Start else { return }
        base64Start = nil
        guard depth == 0, limit - start >= Self.leastBase64 else { return }
        // Its words and the marks between them were read already.
        let end = min(limit, endOfValue(from: max(start, lastWordEnd), \.isBase64))
        guard end - start >= Self.leastBase64 else { return }
        // What stands before it, as a path does, may shift it.
        for offset in 0..<4 {
            guard let decoded = Base64Text.texts(in: text[(start + offset)..<end], ofAtLeast: Self.leastBase64 / 4 * 3)
            else { continue }
            var inner = PatternScan(of: decoded, depth: depth + 1)
            inner.run()
            guard let first = inner.findings.all.first else { continue }
            return findings.add(start..<endOfValue(from: end) { $0 == UInt8(ascii: "=") }, first.kind)
        }
    }

    private mutating func endOfToken(from start: Int) -> Int {
        if start >= tokenEnd { tokenEnd = endOfValue(from: start, \.isOfToken) }
        return tokenEnd
    }

    private func endOfValue(from start: Int, _ belongs: (UInt8) -> Bool) -> Int {
        var end = start
        while end < text.count, belongs(text[end]) { end += 1 }
        return end
    }
}

/// Texts of one kind that may stand inside each other, as one URL in the query of another. A few are read inside one;
/// more would take a time that grows with the square of the size.
private struct Nested {
    private static let most = 4

    private var end = 0
    private var count = 0

    func mayRead(from start: Int) -> Bool { start >= end || count < Self.most }

    mutating func wasRead(from start: Int, to end: Int) {
        if start >= self.end {
            (self.end, count) = (end, 0)
        } else {
            count += 1
        }
    }
}
