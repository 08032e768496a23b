/// Reads a text once, and finds what is secret by its look or by the name next to it.
///
/// Whatever the text is, the time grows with its size only: each look around a place ends after a bounded number of bytes.
struct PatternScan {
    let text: ScannedText
    var findings = Findings()
    /// Whether the text has signs of encodings that may hide something.
    private(set) var hasPercent = false
    private(set) var hasBackslash = false
    private(set) var hasEscape = false

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
    private var markedEnd = 0
    /// What the line shows up to the place: it begins anew with each line.
    private var context = NamedValue.Context()
    private var lineStart = 0
    private var hasColon = false
    private var structureEnd = 0
    private var lines = LineWords()
    /// Where the last URL, JWT, first line of PEM, value without a secret and beginning of a token that were read end, and
    /// how often another one was read inside.
    private var url = Nested()
    private var jwt = Nested()
    private var block = Nested()
    private var value = Nested()
    private var token = Nested()
    /// How deep the text was encoded in Base64.
    private let depth: Int

    /// The most bytes without a secret that may be read at each place.
    private static let shortRead = 32
    /// The fewest characters of Base64 that are decoded: the shortest secret that a pattern finds has more.
    private static let leastBase64 = 24
    private static let passwordWord = KeyWords.packed("password".utf8)
    private static let passwdWord = KeyWords.packed("passwd".utf8)
    private static let identifiedWord = KeyWords.packed("entified".utf8)
    private static let requirepassWord = KeyWords.packed("uirepass".utf8)

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
        endLine(at: text.count)
        for place in lines.end() { findings.add(place, .mnemonic) }
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
        if !hasDigits, size <= Misspelling.longest {
            addToPhrase(letters, start..<end)
            if size >= 4, size <= 6, words.schemes.contains(letters) { scheme(start..<end) }
        } else if hasLetters || size > 2 {
            // Digits may number the words of a phrase.
            endPhrase()
        }
        if start + 2 < text.count,
            words.tokens.mayBegin(text[start], text[start + 1], text[start + 2]),
            start >= markedEnd, token.mayRead(from: start)
        {
            let (read, isToken) = words.tokens.end(of: start, in: text)
            if isToken {
                findings.add(start..<read, .token)
                markedEnd = read
            } else if read - start > Self.shortRead {
                token.wasRead(from: start, to: read)
            }
        }
        if size >= 6, size <= 11, end < text.count, text[end] == 0x20 || text[end] == 0x09, start >= valueEnd,
            letters == Self.passwordWord || letters == Self.identifiedWord || letters == Self.requirepassWord
                || letters == Self.passwdWord,
            let value = Places.valueOfWord(start..<end, in: text, words)
        {
            add(value, .credential)
        }
        if size >= 16 { longWord(start..<end) }
        return end
    }

    private mutating func addToPhrase(_ letters: UInt64, _ range: Range<Int>) {
        if let last = phrase.end, range.lowerBound - last > WordRun.widestGap { endPhrase() }
        if range.count <= KeyWords.longestWord, words.mnemonic.contains(letters) {
            phrase.add(range)
        } else {
            for place in phrase.addOther(range, text, words.mnemonic) { findings.add(place, .mnemonic) }
        }
    }

    private mutating func endPhrase() {
        for place in phrase.close(text, words.mnemonic) { findings.add(place, .mnemonic) }
    }

    private mutating func endLine(at place: Int) {
        context = NamedValue.Context()
        let end = place > lineStart && text[place - 1] == 0x0D ? place - 1 : place
        for place in lines.add(lineStart..<end, in: text, words.mnemonic) { findings.add(place, .mnemonic) }
        lineStart = place + 1
        hasColon = false
    }

    /// A run that is too long for a word.
    private mutating func longWord(_ range: Range<Int>) {
        switch range.count {
        case 51, 52, 111:
            if let kind = EncodedKey.kind(of: text[range]) { findings.add(range, kind) }
        case 64, 66, 128, 130: hexKey(range)
        default: break
        }
        if range.upperBound < text.count, !text[range.upperBound].isSpace, range.lowerBound >= markedEnd,
            let end = ShapedToken.end(of: range, in: text)
        {
            findings.add(range.lowerBound..<end, .token)
            markedEnd = end
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

    /// `Bearer TOKEN` or `Basic TOKEN` (RFC 9110, section 11.6.2).
    private mutating func scheme(_ range: Range<Int>) {
        guard range.upperBound < text.count, text[range.upperBound] == UInt8(ascii: " ") else { return }
        let start = range.upperBound + 1
        let end = endOfToken(from: start)
        // "Basic authentication" and "basic blocks..." are no tokens.
        guard end - start >= 8,
            text[start..<end].contains(where: { $0.isDigit || $0 == UInt8(ascii: "=") })
                || end - start >= 20 && Randomness.isRandom(text[start..<end])
        else { return }
        findings.add(start..<end, .token)
    }

    // MARK: Signs

    private mutating func sign(_ sign: UInt8, at place: Int) {
        switch sign {
        case UInt8(ascii: "%"): hasPercent = true
        case UInt8(ascii: "\\"): hasBackslash = true
        case 0x1B: hasEscape = true
        case UInt8(ascii: "~"):
            if let token = ShapedToken.entra(at: place, in: text) { findings.add(token, .token) }
        case UInt8(ascii: "."):
            if place + 1 < text.count, text[place + 1] == UInt8(ascii: "a"),
                let token = ShapedToken.atlas(at: place, in: text)
            {
                findings.add(token, .token)
            }
        case UInt8(ascii: ">"):
            guard place >= valueEnd, let value = Places.element(at: place, in: text, words) else { return }
            add(value, .credential)
        case UInt8(ascii: ","):
            if context.isInParentheses, place > 0, text[place - 1].isQuote { named(at: place) }
        case UInt8(ascii: "-"):
            if place >= valueEnd, place == 0 || text[place - 1] <= 0x20 || text[place - 1].isQuote,
                let value = Places.optionValue(at: place, in: text, words)
            {
                add(value, .credential)
            }
            guard place >= blockEnd, block.mayRead(from: place), let (end, isBlock) = PEMBlock.end(of: place, in: text)
            else { return }
            block.wasRead(from: place, to: end)
            guard isBlock else { return }
            endBase64(at: place)
            findings.add(place..<end, .privateKey)
            blockEnd = end
        case UInt8(ascii: ":"):
            if let token = ShapedToken.telegram(at: place, in: text) { findings.add(token, .token) }
            if !hasColon {
                hasColon = true
                if place >= valueEnd, let value = Places.pgpass(at: place, lineStart: lineStart, in: text) {
                    add(value, .credential)
                    return
                }
            }
            if !readURL(at: place) { named(at: place) }
        case UInt8(ascii: "="): named(at: place)
        case UInt8(ascii: "("):
            context.openParentheses += 1
        case UInt8(ascii: ")"):
            context.openParentheses = max(0, context.openParentheses - 1)
        case UInt8(ascii: "\""):
            if place == 0 || text[place - 1] != UInt8(ascii: "\\") { context.isInString.toggle() }
        case 0x0A: endLine(at: place)
        default: break
        }
    }

    /// A value behind its name: `password=…`, `"api_secret": "…"`, `Authorization: …`.
    private mutating func named(at sign: Int) {
        guard sign >= valueEnd, value.mayRead(from: sign) else { return }
        let isComma = text[sign] == UInt8(ascii: ",")
        if !isComma, let name = NamedValue.name(before: sign, in: text, words) {
            if name.quote != nil, structured(name, after: sign) { return }
            guard let range = valueRange(of: name, after: sign) else { return }
            // A number that takes a marker's place has to be a text.
            let isBare =
                name.quote.map { text[$0.upperBound - 1] == UInt8(ascii: "\"") } == true
                && !text[range.lowerBound - 1].isQuote
            add(range, .credential, in: isBare ? name.quote : nil)
        } else if text[sign] != UInt8(ascii: ":"), let name = Places.nameBefore(sign, in: text, words),
            let range = valueRange(of: name, after: sign), text[range.lowerBound - 1].isQuote
        {
            add(range, .credential)
        } else if let range = URLParts.secretValue(after: sign, in: text) {
            add(range, .urlValue)
        }
    }

    /// Adds a value, in which no other one is searched.
    private mutating func add(_ range: Range<Int>, _ kind: RedactedKind, in quote: Range<Int>? = nil) {
        findings.add(range, kind, in: quote)
        valueEnd = range.upperBound
    }

    private mutating func valueRange(of name: NamedValue.Name, after sign: Int) -> Range<Int>? {
        let (range, read) = NamedValue.range(of: name, after: sign, in: text, words, context)
        if range == nil, read - sign > Self.shortRead { value.wasRead(from: sign, to: read) }
        return range
    }

    /// An array or an object of JSON behind its name.
    private mutating func structured(_ name: NamedValue.Name, after sign: Int) -> Bool {
        let start = NamedValue.start(after: sign, in: text, isJSON: true).place
        guard start < text.count, text[start] == UInt8(ascii: "[") || text[start] == UInt8(ascii: "{"),
            RedactedKind.marker(at: start, in: text) == nil,
            [.password, .phrase, .secret, .code].contains(name.kind), start >= structureEnd,
            let (places, end) = StructuredValue.secrets(at: start, of: name, in: text)
        else { return false }
        for place in places { findings.add(place.range, .credential, in: place.isNumber ? name.quote : nil) }
        // What stands in it is read for other secrets all the same.
        structureEnd = end
        return true
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
