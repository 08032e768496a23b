internal import Custody
internal import Wallet

/// Which of a wallet's addresses are looked at for coins.
struct AddressReach {
    /// So many of each kind, from the first, in any case; of an explorer only where the person has named the number.
    let least: UInt32
    /// Whether ``least`` was named.
    let isNamed: Bool
    /// Behind the last one that was used or shown, so many more.
    let gap: UInt32
    /// Beside them, of each kind.
    let ranges: [ClosedRange<UInt32>]
    /// What this machine has shown; nothing for keys that are no wallet's.
    let shown: ShownAddresses

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

    /// In words: `the first 200 addresses`.
    var text: String {
        let named = ranges.map { " and those from \($0.lowerBound) to \($0.upperBound)" }
        return "the first \(least) addresses" + named.joined()
    }
}
