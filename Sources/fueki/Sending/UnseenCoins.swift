internal import Amounts
internal import Bitcoin
internal import HDKeys
internal import Nodes
internal import Wallet

/// The coins that a node lists, and that are not looked at because there are too many. No fault of the node's.
struct UnseenCoins: Encodable {
    /// How many coins are left out. Each is worth at most as much as any that was looked at.
    let count: Int
    /// What they are worth together, in satoshi, as the node says.
    let amount: String
    let worth: Amount
    /// Addresses with so many coins that they cannot be listed, or not all of them.
    let crowded: [String]
    private let looked: Int

    enum CodingKeys: String, CodingKey { case count, amount, crowded }

    init(_ list: CoinList, on network: Network) {
        count = list.leftOutCount
        worth = list.leftOutAmount
        amount = "\(worth.satoshis)"
        crowded = list.crowded.compactMap { Address<Checked>($0, on: network)?.description }
        looked = list.coins.count
    }

    /// Nil if every coin was looked at.
    var text: String? {
        var sentences: [String] = []
        if count > 0 {
            let worth = DecimalText.short(UInt256(worth.satoshis), .bitcoin)
            sentences.append(
                "the \(looked) most valuable coins are looked at; \(count) smaller ones, worth \(worth) BTC together, "
                    + "are not")
        }
        if !crowded.isEmpty {
            sentences.append(
                "these addresses have more coins than can be listed, so that some are not found: "
                    + crowded.joined(separator: ", "))
        }
        return sentences.isEmpty ? nil : sentences.joined(separator: "; ")
    }
}
