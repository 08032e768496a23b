internal import ArgumentParser
internal import Bitcoin
internal import Payments
internal import Terminal
internal import Texts

/// The coins that a payment spends.
struct CoinOptions: ParsableArguments {
    @Option(
        name: .customLong("coin"),
        help: .value(
            "txid:vout", "Spend this coin ('fueki coins list'), and only those that are named; once for each (Bitcoin)."
        ))
    var coins: [String] = []

    @Option(
        help: .value(
            "number",
            "Spend only coins with so many confirmations (Bitcoin; default: 1, and 0 for own change if nothing else "
                + "suffices).", visibility: .hidden))
    var minConfirmations: UInt32?

    /// Whether the command line has no coin options.
    var isEmpty: Bool { coins.isEmpty && minConfirmations == nil }

    func control() throws(Failure) -> CoinControl {
        CoinControl(only: try outPoints(), leastConfirmations: minConfirmations ?? 0)
    }

    /// Returns the named coins in the order of the command line.
    func outPoints() throws(Failure) -> [OutPoint] { try Self.read(coins) }

    static func read(_ texts: [String]) throws(Failure) -> [OutPoint] {
        try texts.map { text throws(Failure) in
            guard let coin = try? OutPoint(text.lowercased()) else {
                throw .usage(
                    "'\(text)' is not a coin: write a transaction's 64 digits, a colon and the output's number")
            }
            return coin
        }
    }
}
