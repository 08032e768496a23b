internal import Encoding
public import Wallet

/// The beginning of a transaction's id or of a digest, by which a person names an entry of the history or a proposal.
public struct ShortID: Hashable, Sendable {
    /// The digits: 6 to 64 of them, hexadecimal, in lower case, without `0x`.
    public let digits: String

    /// The fewest digits. Among a thousand entries, two have the same six digits with a probability of a few per cent;
    /// the user is told then.
    public static let fewestDigits = 6
    private static let mostDigits = 64

    /// Reads 6 to 64 hexadecimal digits, after `0x` or not; nil for any other text.
    public init?(_ text: String) {
        let small = text.lowercased()
        let digits = small.hasPrefix("0x") ? String(small.dropFirst(2)) : small
        guard (Self.fewestDigits...Self.mostDigits).contains(digits.utf8.count),
            digits.utf8.allSatisfy({
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                    || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
            })
        else { return nil }
        self.digits = digits
    }

    /// Whether these are all digits of an id, so that it can name a transaction that is not in the book.
    public var isWhole: Bool { digits.utf8.count == Self.mostDigits }

    /// Returns whether an id begins with these digits.
    public func begins(_ id: String) -> Bool {
        (id.hasPrefix("0x") ? id.dropFirst(2) : id[...]).hasPrefix(digits)
    }
}

extension [HistoryEntry] {
    /// Returns the entries whose transaction's id or digest begins like this. If there are several, the user has to
    /// choose.
    public func named(_ id: ShortID) -> [HistoryEntry] {
        filter { entry in entry.id.map(id.begins) ?? false || id.begins(Hex.encode(entry.digest)) }
    }
}

extension [ArchivedEntry] {
    /// Returns the entries of other machines whose transaction's id or digest begins like this.
    public func named(_ id: ShortID) -> [ArchivedEntry] {
        filter { entry in entry.id.map(id.begins) ?? false || id.begins(Hex.encode(entry.digest)) }
    }
}

extension [PendingProposal] {
    /// Returns the proposals whose digest begins like this.
    public func named(_ id: ShortID) -> [PendingProposal] { filter { id.begins(Hex.encode($0.digest)) } }
}
