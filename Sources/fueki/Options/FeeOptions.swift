internal import Amounts
public import ArgumentParser
internal import Bitcoin
internal import ErrorTexts
internal import Ethereum
public import Payments
internal import SigningSession
internal import Terminal
internal import Texts
internal import Wallet

/// The priority and the highest fee of a transaction.
struct FeeOptions: ParsableArguments {
    @Option(help: .value("hurry", "How soon it should be mined."))
    var fee = FeePriority.normal

    @Option(
        help: .value(
            "amount", "The highest fee that is signed for (default: 0.005btc; 0.02eth, less on chains with lower fees)."
        ))
    var maxFee: String?

    @Option(
        help: .value("price", "The price of a unit of gas, '12gwei', in place of --fee: all of it is paid (Ethereum)."))
    var gasPrice: String?

    /// The costly finding that `--max-fee` accepts.
    var accepted: AcceptedFindings { maxFee == nil ? .none : .namedFeeCeiling }

    /// Returns the fee of a transaction on Bitcoin.
    ///
    /// - Parameter rate: the feerate of `--fee-rate`; nil to follow the priority.
    /// - Throws: a usage failure if `--max-fee` is not an amount of Bitcoin, or if `--gas-price` is given.
    func onBitcoin(rate: FeeRate?) throws(Failure) -> BitcoinFee {
        guard gasPrice == nil else { throw .onlyOnEthereum("--gas-price") }
        let ceiling = try ChainName.bitcoin.highestFee(maxFee).uint64.flatMap { try? Amount(satoshis: $0) }
        guard let ceiling else { throw AmountError.outOfRange.failure(of: "--max-fee", on: .bitcoin) }
        return BitcoinFee(fee, rate: rate, ceiling: ceiling)
    }

    /// Returns the fee of a transaction on a chain of Ethereum's kind.
    ///
    /// - Throws: a usage failure if `--max-fee` or `--gas-price` is not an amount of the chain's coin.
    func onEthereum(_ chain: ChainID) throws(Failure) -> EthereumFee {
        let name = ChainName.ethereum(chain)
        let price = try gasPrice.map { text throws(Failure) in Wei(try name.amount(text, of: "--gas-price")) }
        if price == .zero { throw .usage("--gas-price is more than 0") }
        return EthereumFee(fee, gasPrice: price, ceiling: Wei(try name.highestFee(maxFee)))
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
