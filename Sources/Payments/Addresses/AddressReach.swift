internal import Bitcoin
public import Custody

/// The addresses of a wallet that are searched for coins.
public struct AddressReach: Sendable {
    /// The number of addresses of each kind, from the first, in any case; for an explorer only if the person has named
    /// the number.
    public let least: UInt32
    /// Whether ``least`` was named by the person.
    public let isNamed: Bool
    /// The number of addresses that are searched after the last one that was used or shown.
    public let gap: UInt32
    /// Additional indices, for each kind.
    public let ranges: [ClosedRange<UInt32>]
    /// The addresses that this machine has shown; empty for keys that belong to no wallet.
    let shown: ShownAddresses

    /// Chooses the addresses to search.
    ///
    /// - Parameters:
    ///   - count: the number of addresses of each kind; nil for `BitcoinLimits.scannedAddresses`, and for an explorer
    ///     as far as addresses were used.
    ///   - gap: the number of addresses after the last one that was used or shown (BIP-44), at least one: 0 counts as
    ///     1.
    ///   - ranges: additional indices for each kind.
    ///   - shown: the addresses that this machine has shown of the wallet (`WalletHome.shownAddresses(of:)`).
    public init(
        first count: UInt32? = nil, gap: UInt32 = 20, ranges: [ClosedRange<UInt32>] = [], shown: ShownAddresses
    ) {
        least = count ?? BitcoinLimits.scannedAddresses
        isNamed = count != nil
        self.gap = max(gap, 1)
        self.ranges = ranges
        self.shown = shown
    }

    /// Reads ranges of indices: `1000000-1000100`, or one index.
    ///
    /// - Returns: nil if one cannot be read, or has an index of 2³¹ or more.
    public static func ranges(_ texts: [String]) -> [ClosedRange<UInt32>]? {
        var ranges: [ClosedRange<UInt32>] = []
        for text in texts {
            let ends = text.split(separator: "-", omittingEmptySubsequences: false).map { UInt32($0) }
            guard let first = ends.first ?? nil, let last = ends.last ?? nil, ends.count <= 2, first <= last,
                last < 1 << 31
            else { return nil }
            ranges.append(first...last)
        }
        return ranges
    }

    /// Returns how many addresses of a kind are searched, from the first.
    func count(of row: ShownAddresses.Row) -> UInt32 { max(least, end(of: row)) }

    /// Returns how many of them an explorer is asked about in any case, whatever it reports of earlier ones.
    func explored(of row: ShownAddresses.Row) -> UInt32 { max(isNamed ? least : 0, end(of: row)) }

    private func end(of row: ShownAddresses.Row) -> UInt32 {
        let end = shown.end(of: row)
        return end == 0 ? 0 : end.addingReportingOverflow(gap).overflow ? .max : end + gap
    }

    /// Returns the indices beyond the first ones.
    func further(beyond count: UInt32) -> [UInt32] {
        Set(ranges.flatMap { Array($0) }).filter { $0 >= count }.sorted()
    }
}
