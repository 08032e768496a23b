internal import ArgumentParser
internal import Wallet

/// What a transaction may cost.
struct FeeOptions: ParsableArguments {
    /// How much hurry there is; what that costs, the node says.
    enum Hurry: String, CaseIterable, ExpressibleByArgument {
        case low, normal, high
    }

    @Option(help: ArgumentHelp("How soon it should be mined.", valueName: "hurry"))
    var fee = Hurry.normal

    @Option(
        help: ArgumentHelp(
            "The highest fee that is signed for, as '5000sat' or '0.01eth' (default: 0.005btc, 0.02eth).",
            valueName: "amount"))
    var maxFee: String?

    /// Costly findings that the person has accepted by naming `--max-fee`: a fee that is large by itself, or against what is paid,
    /// is within what they said. That it is more than what is paid, or far above what the node expects, they have not said.
    var accepted: Set<String> { maxFee == nil ? [] : ["large_fee"] }

    /// In the smallest unit of the coin.
    ///
    /// - Parameter currency: the coin that it has to be in.
    func highestFee(in currency: Currency) throws(Failure) -> UInt256 {
        guard let maxFee else { return currency == .bitcoin ? 500_000 : 20_000_000_000_000_000 }
        return try MoneyUnit.amount(maxFee, in: currency, of: "--max-fee")
    }
}

extension MoneyUnit {
    var currency: Currency {
        switch self {
        case .sat, .btc: .bitcoin
        case .wei, .gwei, .eth: .ether
        }
    }

    /// Reads an amount of this coin, in its smallest unit.
    ///
    /// - Parameter option: where it stands on the command line.
    static func amount(_ text: String, in currency: Currency, of option: String) throws(Failure) -> UInt256 {
        let examples = currency == .bitcoin ? "'0.01btc' or '1500sat'" : "'0.1eth' or '30gwei'"
        guard let (value, unit) = try? MoneyUnit.read(text) else {
            throw .usage("\(option) takes an amount with its unit: \(examples)")
        }
        guard unit.currency == currency else {
            throw .usage("\(option) is in another coin: \(examples) is meant")
        }
        return value
    }
}
