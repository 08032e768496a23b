public import Bitcoin
public import HDKeys
public import Nodes

/// The coins of a node's list that were skipped because they are too many. The node is not at fault.
public struct UnlistedCoins: Equatable, Sendable {
    /// The number of skipped coins. None is worth more than any coin that was read.
    public let count: Int
    /// Their total value, as the node reports it.
    public let worth: Amount
    /// The addresses with so many coins that not all can be listed.
    public let crowded: [Address<Checked>]
    /// The number of coins that were read.
    public let lookedAt: Int

    /// Whether every coin was read.
    public var isEmpty: Bool { count == 0 && crowded.isEmpty }

    /// Creates the skipped part of a list of coins.
    public init(_ list: CoinList, on network: Network) {
        count = list.leftOutCount
        worth = list.leftOutAmount
        crowded = list.crowded.compactMap { Address<Checked>($0, on: network) }
        lookedAt = list.coins.count
    }
}
