/// Words of BIP-39's list that follow each other.
///
/// The checksum is not asked: a phrase with a word that was miswritten shows its wallet all the same, and twelve words
/// of the list in a row do not come in ordinary sentences, which need others ("the", "is", "of").
struct WordRun {
    /// The fewest words of a mnemonic.
    static let fewest = 12
    /// How many bytes may stand between two words: quotes, commas, line ends, numbers.
    static let widestGap = 12

    private var start = 0
    private(set) var end: Int?
    private var count = 0

    mutating func add(_ word: Range<Int>) {
        if count == 0 { start = word.lowerBound }
        end = word.upperBound
        count += 1
    }

    /// Ends the run.
    ///
    /// - Returns: where it is, if it is long enough.
    mutating func close() -> Range<Int>? {
        defer { (count, end) = (0, nil) }
        guard let end, count >= Self.fewest else { return nil }
        return start..<end
    }
}
