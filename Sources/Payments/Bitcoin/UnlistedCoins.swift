public import Bitcoin
public import HDKeys
public import Nodes

/// The coins that a node lists, and that are not looked at because there are too many. No fault of the node's.
public struct UnlistedCoins: Equatable, Sendable {
    /// How many coins are left out. Each is worth at most as much as any that was looked at.
    public let count: Int
    /// What they are worth together, as the node says.
    public let worth: Amount
    /// Addresses with so many coins that they cannot be listed, or not all of them.
    public let crowded: [Address<Checked>]
    /// How many were looked at.
    public let lookedAt: Int

    /// Whether every coin was looked at.
    public var isEmpty: Bool { count == 0 && crowded.isEmpty }

    /// Takes what a list of coins leaves out.
    public init(_ list: CoinList, on network: Network) {
        count = list.leftOutCount
        worth = list.leftOutAmount
        crowded = list.crowded.compactMap { Address<Checked>($0, on: network) }
        lookedAt = list.coins.count
    }
}
