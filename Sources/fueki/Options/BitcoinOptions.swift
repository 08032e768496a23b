internal import Amounts
internal import ArgumentParser
internal import Bitcoin
internal import Custody
internal import Payments
internal import Terminal
internal import Texts
internal import Wallet

/// The options of Bitcoin payments.
struct BitcoinOptions: ParsableArguments {
    @OptionGroup(title: "Fee") private var rate: FeeRateOption
    @OptionGroup(title: "Node", visibility: .hidden) var addresses: AddressesOption

    /// Refuses the options of Bitcoin for a payment on Ethereum, so that no option is ignored silently.
    func check(on chain: ChainName) throws {
        guard chain == .bitcoin || rate.feeRate == nil else {
            throw ValidationError("--fee-rate is for Bitcoin; on Ethereum there are --fee, --gas-price and --max-fee")
        }
    }

    /// Returns the feerate of the option; nil without the option.
    func namedRate() throws(Failure) -> FeeRate? {
        guard let feeRate = rate.feeRate else { return nil }
        guard let places = try? Decimals(3), let value = try? DecimalText.read(feeRate, places).uint64,
            (1...BitcoinLimits.highestFeeRate.satoshisPerKilobyte).contains(value)
        else { throw .usage("--fee-rate takes satoshi per virtual byte, as in '12.5', up to 5000") }
        return FeeRate(satoshisPerKilobyte: value)
    }
}

/// The feerate of a Bitcoin payment.
struct FeeRateOption: ParsableArguments {
    @Option(help: .value("rate", "Satoshi per virtual byte, in place of --fee (Bitcoin)."))
    var feeRate: String?
}

/// The addresses that are searched for coins.
struct AddressesOption: ParsableArguments {
    @Option(
        help: .value(
            "number",
            "Scan so many addresses of each kind (Bitcoin; default: 200; at an explorer, those that were used)."))
    var addresses: UInt32?

    @Option(
        help: .value(
            "number", "Scan so many after the last address that was used or shown (Bitcoin).", visibility: .hidden))
    var gap: UInt32 = 20

    @Option(
        help: .value(
            "first-last", "Scan these indices of each kind, too: '1000000-1000100'; once for each range (Bitcoin).",
            visibility: .hidden))
    var indexRange: [String] = []

    func validate() throws {
        if let addresses {
            guard (1...Self.most).contains(addresses) else {
                throw ValidationError("--addresses is 1 to \(Self.most)")
            }
        }
        guard (1...1_000).contains(gap) else { throw ValidationError("--gap is 1 to 1000") }
        guard let ranges else {
            throw ValidationError(
                "--index-range takes two indices below 2147483648, as in '1000000-1000100', or one index")
        }
        guard ranges.reduce(0, { $0 + $1.count }) <= Int(Self.most) else {
            throw ValidationError("all --index-range together have at most \(Self.most) indices")
        }
    }

    /// The parsed index ranges; nil if a range is malformed.
    private var ranges: [ClosedRange<UInt32>]? { AddressReach.ranges(indexRange) }

    /// Returns the wallet's addresses that are searched for coins.
    func reach(of wallet: WalletRecord, in home: WalletHome) -> AddressReach {
        reach(shown: home.shownAddresses(of: wallet))
    }

    /// Returns the addresses that are searched for coins.
    ///
    /// - Parameter shown: the addresses that this machine has shown; empty for keys outside a wallet.
    func reach(shown: ShownAddresses) -> AddressReach {
        AddressReach(first: addresses, gap: gap, ranges: ranges ?? [], shown: shown)
    }

    /// The maximum number of indices. Deriving more would take seconds, and querying them would take minutes.
    private static let most: UInt32 = BitcoinLimits.farthestAddress
}
