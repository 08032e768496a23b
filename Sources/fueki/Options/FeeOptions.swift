internal import Amounts
public import ArgumentParser
internal import Bitcoin
internal import Ethereum
public import Payments
internal import Presentation
internal import Texts
internal import Wallet

/// The priority and the highest fee of a transaction.
struct FeeOptions: ParsableArguments {
    @Option(help: ArgumentHelp("How soon it should be mined.", valueName: "hurry"))
    var fee = FeePriority.normal

    @Option(
        help: ArgumentHelp(
            "The highest fee that is signed for, as '5000sat' or '0.01eth' (default: 0.005btc; 0.02eth on Ethereum, less "
                + "on chains where fees are lower).",
            valueName: "amount"))
    var maxFee: String?

    /// The costly finding that `--max-fee` accepts.
    var accepted: AcceptedFindings { maxFee == nil ? .none : .namedFeeCeiling }

    /// Returns the fee of a transaction on Bitcoin.
    ///
    /// - Parameter rate: the feerate of `--fee-rate`; nil to follow the priority.
    /// - Throws: a usage failure if `--max-fee` is not an amount of Bitcoin.
    func onBitcoin(rate: FeeRate?) throws(Failure) -> BitcoinFee {
        let ceiling = try ChainName.bitcoin.highestFee(maxFee).uint64.flatMap { try? Amount(satoshis: $0) }
        guard let ceiling else { throw AmountError.outOfRange.failure(of: "--max-fee", on: .bitcoin) }
        return BitcoinFee(fee, rate: rate, ceiling: ceiling)
    }

    /// Returns the fee of a transaction on a chain of Ethereum's kind.
    ///
    /// - Throws: a usage failure if `--max-fee` is not an amount of the chain's coin.
    func onEthereum(_ chain: ChainID) throws(Failure) -> EthereumFee {
        EthereumFee(fee, ceiling: Wei(try ChainName.ethereum(chain).highestFee(maxFee)))
    }
}

extension ChainName {
    /// The highest fee: `--max-fee`, or the default.
    func highestFee(_ text: String?) throws(Failure) -> UInt256 {
        try text.map { text throws(Failure) in try amount(text, of: "--max-fee") } ?? usualFee
    }

    /// Reads the amount of an option.
    func amount(_ text: String, of option: String) throws(Failure) -> UInt256 {
        do throws(AmountError) { return try amount(text) } catch { throw error.failure(of: option, on: self) }
    }
}

extension FeePriority: ExpressibleByArgument {}
