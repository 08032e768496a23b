/// Words of BIP-39's list that follow each other, with one between them that may be misspelt.
///
/// The checksum is not asked: a phrase with a word that was miswritten shows its wallet all the same, and eleven words
/// of the list in a row with the same marks between them do not come in ordinary sentences, which need others ("the",
/// "is", "of").
struct WordRun {
    /// The fewest words of a mnemonic that are enough to find the rest: one of twelve may be missing.
    static let fewest = 11
    /// The fewest words if one of them is not in the list.
    static let fewestWithTypo = 12
    /// The fewest words that go on with a phrase after a second word that is not in the list.
    private static let fewestGoingOn = 3
    /// The most words of a mnemonic, with room for two in a row. A longer run in alphabetical order is the list.
    static let most = 48
    /// How many bytes may stand between two words: quotes, commas, line ends, numbers.
    static let widestGap = 12

    /// The words since the last one that is not in the list.
    private var start = 0
    private var count = 0
    private(set) var end: Int?
    /// That one, and the words before it.
    private var other: Range<Int>?
    private var (beforeStart, beforeEnd, beforeCount) = (0, 0, 0)
    private var goesOn = false

    @inline(__always) mutating func add(_ word: Range<Int>) {
        if count == 0 { start = word.lowerBound }
        end = word.upperBound
        count += 1
    }

    /// Adds a word that is not in the list.
    ///
    /// - Returns: the words before it, if they are a phrase that has such a word already.
    @inline(__always) mutating func addOther(
        _ word: Range<Int>, _ text: ScannedText, _ list: WordTable
    ) -> [Range<Int>] {
        var found: [Range<Int>] = []
        if other != nil, count + beforeCount >= (goesOn ? Self.fewestGoingOn : Self.fewest) {
            found = evaluate(text, list)
            goesOn = !found.isEmpty
        }
        (beforeStart, beforeEnd, beforeCount) = (start, end ?? 0, found.isEmpty ? count : 0)
        (other, count, end) = (word, 0, word.upperBound)
        return found
    }

    /// Ends the run.
    ///
    /// - Returns: where its words are, if they are enough.
    @inline(__always) mutating func close(_ text: ScannedText, _ list: WordTable) -> [Range<Int>] {
        guard end != nil else { return [] }
        defer { self = WordRun() }
        return count + beforeCount >= (goesOn ? Self.fewestGoingOn : Self.fewest) ? evaluate(text, list) : []
    }

    private func evaluate(_ text: ScannedText, _ list: WordTable) -> [Range<Int>] {
        let all = beforeCount + count + 1
        if let other, let end, all >= (goesOn ? Self.fewestGoingOn : Self.fewestWithTypo),
            Misspelling.isNear(text[other], list)
        {
            let whole = (beforeCount > 0 ? beforeStart : other.lowerBound)..<end
            let parts = PhraseParts(of: whole, in: text)
            if parts.isPhrase(with: other) { return parts.places(parts.words.indices) }
        }
        var found: [Range<Int>] = []
        if beforeCount >= Self.fewest { found += PhraseParts(of: beforeStart..<beforeEnd, in: text).phrases }
        if count >= Self.fewest, let end { found += PhraseParts(of: start..<end, in: text).phrases }
        return found
    }
}

/// The words of a run with what stands between them, without the names of members of JSON objects.
struct PhraseParts {
    private(set) var words: [Range<Int>] = []
    private var gaps: [ScannedText.SubSequence] = []
    private let text: ScannedText

    init(of range: Range<Int>, in text: ScannedText) {
        self.text = text
        var place = range.lowerBound
        while place < range.upperBound {
            guard text[place].isLetter else {
                place += 1
                continue
            }
            var end = place
            while end < range.upperBound, text[end].isLetter { end += 1 }
            if !Self.isName(place..<end, in: text) {
                if let last = words.last { gaps.append(text[last.upperBound..<place]) }
                words.append(place..<end)
            }
            place = end
        }
    }

    /// Whether a word is the name of a member: a quote and a colon follow.
    private static func isName(_ word: Range<Int>, in text: ScannedText) -> Bool {
        var place = word.upperBound
        // The name fills its quotes.
        guard word.lowerBound > 0, text[word.lowerBound - 1].isQuote else { return false }
        while place < text.count, text[place] == UInt8(ascii: "\\") { place += 1 }
        guard place < text.count, text[place].isQuote else { return false }
        place += 1
        while place < text.count, text[place] == UInt8(ascii: " ") { place += 1 }
        return place < text.count && text[place] == UInt8(ascii: ":")
    }

    /// Whether the words stand as those of a phrase do: most gaps are alike, and those beside a word that is not in the
    /// list are; and the words are not the list itself.
    func isPhrase(with other: Range<Int>?) -> Bool {
        guard !words.isEmpty, !isList else { return false }
        let shapes = gaps.map(Self.shape)
        var counts: [[UInt8]: Int] = [:]
        for shape in shapes { counts[shape, default: 0] += 1 }
        guard let usual = counts.max(by: { $0.value < $1.value }), usual.value * 4 >= shapes.count * 3 else {
            return false
        }
        guard let other else { return true }
        guard let index = words.firstIndex(of: other) else { return false }
        return (index == 0 || shapes[index - 1] == usual.key) && (index == shapes.count || shapes[index] == usual.key)
    }

    /// The places of the phrases among the words: all of them, or those between which the same marks stand.
    var phrases: [Range<Int>] {
        if isPhrase(with: nil) { return words.count >= WordRun.fewest ? places(words.indices) : [] }
        guard !isList else { return [] }
        let shapes = gaps.map(Self.shape)
        var (found, first) = ([Range<Int>](), 0)
        for index in words.indices where index == shapes.count || index > first && shapes[index] != shapes[first] {
            if index - first + 1 >= WordRun.fewest { found += places(first..<(index + 1)) }
            first = index
        }
        return found
    }

    /// Whether the words are those of the list in its order.
    var isList: Bool {
        words.count > WordRun.most
            && zip(words, words.dropFirst()).allSatisfy { text[$0].lexicographicallyPrecedes(text[$1]) }
    }

    /// A gap without its digits, and with one space for several.
    private static func shape(_ gap: ScannedText.SubSequence) -> [UInt8] {
        var shape: [UInt8] = []
        for byte in gap where !byte.isDigit {
            if !byte.isSpace { shape.append(byte) } else if shape.last != 0x20 { shape.append(0x20) }
        }
        return shape
    }

    /// What is replaced of some words. Between the members of JSON objects each word is one place, so that the objects
    /// stay.
    func places(_ indices: Range<Int>) -> [Range<Int>] {
        var places: [Range<Int>] = []
        for index in indices {
            if index > indices.lowerBound, let last = places.indices.last,
                !gaps[index - 1].contains(where: { "{}:".utf8.contains($0) })
            {
                places[last] = places[last].lowerBound..<words[index].upperBound
            } else {
                places.append(words[index])
            }
        }
        return places
    }
}

/// A word that is one mistake away from one of BIP-39's list.
enum Misspelling {
    /// The shortest word that may be one: of three letters almost every one is near another.
    private static let shortest = 4
    static let longest = KeyWords.longestWord + 1

    /// Whether a word of letters is near a word of the list: a letter is wrong, missing or too many, or two are swapped.
    static func isNear(_ word: ScannedText.SubSequence, _ list: WordTable) -> Bool {
        let letters = word.map(\.lowercased)
        guard letters.count >= shortest, letters.count <= longest,
            !SecretNames.proseWords.contains(String(decoding: letters, as: UTF8.self))
        else { return false }
        func isListed(_ letters: [UInt8]) -> Bool {
            letters.count <= KeyWords.longestWord && list.contains(KeyWords.packed(letters))
        }
        for place in letters.indices {
            var other = letters
            other.remove(at: place)
            if isListed(other) { return true }
            if place > 0 {
                other = letters
                other.swapAt(place - 1, place)
                if isListed(other) { return true }
            }
            for letter in UInt8(ascii: "a")...UInt8(ascii: "z") {
                other = letters
                other[place] = letter
                if isListed(other) { return true }
                other = letters
                other.insert(letter, at: place)
                if isListed(other) { return true }
            }
        }
        return (UInt8(ascii: "a")...UInt8(ascii: "z")).contains { isListed(letters + [$0]) }
    }
}
