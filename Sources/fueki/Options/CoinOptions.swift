internal import ArgumentParser
internal import Bitcoin
internal import Custody
internal import Payments
internal import Terminal
internal import Wallet

/// Which coins a payment spends.
struct CoinOptions: ParsableArguments {
    @Option(
        name: .customLong("coin"),
        help: ArgumentHelp(
            "Spend this coin, and only those that are named; once for each (Bitcoin). 'fueki coins list' lists them.",
            valueName: "txid:vout"))
    var coins: [String] = []

    func control() throws(Failure) -> CoinControl { CoinControl(only: try outPoints()) }

    /// What is named, in its order.
    func outPoints() throws(Failure) -> [OutPoint] { try Self.read(coins) }

    static func read(_ texts: [String]) throws(Failure) -> [OutPoint] {
        var read: [OutPoint] = []
        for text in texts {
            guard let coin = try? OutPoint(text.lowercased()) else {
                throw .usage(
                    "'\(text)' is no coin: it takes a transaction's 64 digits, a colon and the output's number")
            }
            read.append(coin)
        }
        return read
    }
}

extension Failure {
    static func frozen(_ coin: OutPoint) -> Failure {
        Failure(
            code: .refused, name: "coin_frozen", message: "the coin \(coin) is frozen",
            hint: "'fueki coins unfreeze' with the wallet's name and the coin gives it back")
    }
}
