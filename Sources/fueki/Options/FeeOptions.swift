internal import Amounts
public import ArgumentParser
internal import Bitcoin
internal import Ethereum
public import Payments
internal import Terminal
internal import Wallet

/// What a transaction may cost.
struct FeeOptions: ParsableArguments {
    @Option(help: ArgumentHelp("How soon it should be mined.", valueName: "hurry"))
    var fee = FeePriority.normal

    @Option(
        help: ArgumentHelp(
            "The highest fee that is signed for, as '5000sat' or '0.01eth' (default: 0.005btc; 0.02eth on Ethereum, less "
                + "on chains where fees are lower).",
            valueName: "amount"))
    var maxFee: String?

    /// Costly findings that the person has accepted by naming `--max-fee`: a fee that is large by itself, or against what is paid,
    /// is within what they said. That it is more than what is paid, or far above what the node expects, they have not said.
    var accepted: Set<String> { maxFee == nil ? [] : ["large_fee"] }

    /// The highest fee on Bitcoin where none is named, in satoshi.
    static let usualFeeOnBitcoin: UInt256 = 500_000

    /// The highest fee on Bitcoin.
    func highestFeeOnBitcoin() throws(Failure) -> Amount {
        guard let maxFee else { return try Amount(Self.usualFeeOnBitcoin, of: "--max-fee") }
        return try Amount(MoneyUnit.satoshis(maxFee, of: "--max-fee"), of: "--max-fee")
    }

    /// - Parameter rate: the feerate that is named.
    func onBitcoin(rate: FeeRate?) throws(Failure) -> BitcoinFee {
        BitcoinFee(fee, rate: rate, ceiling: try highestFeeOnBitcoin())
    }

    func onEthereum(_ chain: ChainID) throws(Failure) -> EthereumFee {
        EthereumFee(fee, ceiling: try highestFee(on: chain))
    }

    /// The highest fee on a chain of Ethereum's kind.
    func highestFee(on chain: ChainID) throws(Failure) -> Wei {
        guard let maxFee else { return chain.usualFee }
        return try chain.amount(maxFee, of: "--max-fee")
    }
}

extension FeePriority: ExpressibleByArgument {}

extension Amount {
    /// An amount of bitcoin that a person gave.
    ///
    /// - Parameter option: where it stands on the command line.
    init(_ satoshis: UInt256, of option: String) throws(Failure) {
        guard let value = satoshis.uint64, let amount = try? Amount(satoshis: value) else {
            throw .usage("\(option) is more than there are bitcoin")
        }
        self = amount
    }
}

extension MoneyUnit {
    /// Reads an amount of bitcoin, in satoshi.
    ///
    /// - Parameter option: where it stands on the command line.
    static func satoshis(_ text: String, of option: String) throws(Failure) -> UInt256 {
        let examples = "'0.01btc' or '1500sat'"
        guard let (value, unit) = try? MoneyUnit.read(text) else {
            throw .usage("\(option) takes an amount with its unit: \(examples)")
        }
        switch unit {
        case .sat, .btc: return value
        case .wei, .gwei, .eth: throw .usage("\(option) is in another coin: \(examples) is meant")
        }
    }
}

extension ChainID {
    /// Reads an amount of the chain's coin.
    ///
    /// - Parameter option: where it stands on the command line.
    func amount(_ text: String, of option: String) throws(Failure) -> Wei {
        let examples = "'0.1\(coin.lowercased())' or '30gwei'"
        do throws(AmountError) { return try amount(text) } catch .otherUnit {
            let place = name.map { "the coin of \($0) is \(coin)" } ?? "the coin of \(self) is not known here"
            throw .usage("\(option) is in another coin: \(place), as in \(examples)")
        } catch {
            throw .usage("\(option) takes an amount with its unit: \(examples)")
        }
    }
}
