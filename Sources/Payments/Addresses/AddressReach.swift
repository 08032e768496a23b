internal import Bitcoin
public import Custody
internal import Wallet

/// Which of a wallet's addresses are looked at for coins.
public struct AddressReach: Sendable {
    /// So many of each kind, from the first, in any case; of an explorer only where the person has named the number.
    public let least: UInt32
    /// Whether ``least`` was named.
    public let isNamed: Bool
    /// Behind the last one that was used or shown, so many more.
    public let gap: UInt32
    /// Beside them, of each kind.
    public let ranges: [ClosedRange<UInt32>]
    /// What this machine has shown; nothing for keys that are no wallet's.
    let shown: ShownAddresses

    /// Chooses the addresses that are looked at.
    ///
    /// - Parameters:
    ///   - count: how many of each kind; nil for `BitcoinLimits.scannedAddresses`, and of an explorer as far as they were used.
    ///   - gap: how many behind the last one that was used or shown (BIP-44), at least one: 0 counts as 1.
    ///   - ranges: further indices of each kind.
    ///   - shown: what this machine has shown of the wallet (`WalletHome.shownAddresses(of:)`).
    public init(
        first count: UInt32? = nil, gap: UInt32 = 20, ranges: [ClosedRange<UInt32>] = [], shown: ShownAddresses
    ) {
        least = count ?? BitcoinLimits.scannedAddresses
        isNamed = count != nil
        self.gap = max(gap, 1)
        self.ranges = ranges
        self.shown = shown
    }

    /// How many addresses of a kind are looked at, from the first.
    func count(of row: ShownAddresses.Row) -> UInt32 { max(least, end(of: row)) }

    /// How many of them an explorer is asked about in any case, whatever it says of those before.
    func explored(of row: ShownAddresses.Row) -> UInt32 { max(isNamed ? least : 0, end(of: row)) }

    private func end(of row: ShownAddresses.Row) -> UInt32 {
        let end = shown.end(of: row)
        return end == 0 ? 0 : end + gap
    }

    /// The indices beyond the first ones.
    func further(beyond count: UInt32) -> [UInt32] {
        Set(ranges.flatMap { Array($0) }).filter { $0 >= count }.sorted()
    }
}
