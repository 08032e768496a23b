internal import ArgumentParser
internal import Bitcoin
internal import Custody
internal import Nodes
internal import Wallet

/// Which coins a payment spends.
struct CoinOptions: ParsableArguments {
    @Option(
        name: .customLong("coin"),
        help: ArgumentHelp(
            "Spend this coin, and only those that are named; once for each (Bitcoin). 'fueki coins list' lists them.",
            valueName: "txid:vout"))
    var coins: [String] = []

    /// Has the order spend what is named, and nothing else, and nothing that is frozen.
    ///
    /// - Parameters:
    ///   - purse: its coins are those of the order.
    ///   - frozen: by the wallet's book.
    func apply(to order: inout SpendOrder, frozen: Set<OutPoint>) throws(Failure) {
        let named = try outPoints()
        if let kept = named.first(where: frozen.contains) { throw .frozen(kept) }
        order.frozen.formUnion(frozen)
        guard !named.isEmpty else { return }
        let known = Set(order.coins.map(\.outPoint))
        if let missing = named.first(where: { !known.contains($0) }) {
            throw Failure(
                code: .refused, name: "no_such_coin",
                message: "no coin \(missing) was found at the wallet's addresses that were looked at",
                hint: "'fueki coins list' lists those there are; --index-range looks at further addresses")
        }
        order.required.formUnion(named)
        order.frozen.formUnion(known.subtracting(order.required))
    }

    /// Whether a transaction that was planned before spends what is named, and nothing that is frozen.
    func allow(_ psbt: PSBT, frozen: Set<OutPoint>) throws(Failure) -> Bool {
        let (spent, named) = (Set(psbt.unsignedTransaction.inputs.map(\.previousOutput)), Set(try outPoints()))
        return spent.isDisjoint(with: frozen) && (named.isEmpty || spent == named)
    }

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
