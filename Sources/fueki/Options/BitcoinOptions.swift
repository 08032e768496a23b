internal import Amounts
internal import ArgumentParser
internal import Bitcoin
internal import Custody
internal import Nodes
internal import Payments
internal import Terminal
internal import Wallet

/// What only Bitcoin asks.
struct BitcoinOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The feerate in satoshi per virtual byte, in place of --fee (Bitcoin).", valueName: "rate"))
    var feeRate: String?

    @OptionGroup var addresses: AddressesOption

    /// What is for Bitcoin only says so, where it would be passed over.
    func check(on chain: ChainOption.Name) throws {
        guard chain == .bitcoin || feeRate == nil else {
            throw ValidationError("--fee-rate is for Bitcoin; on Ethereum there are --fee and --max-fee")
        }
    }

    /// The feerate that is named.
    func namedRate() throws(Failure) -> FeeRate? {
        guard let feeRate else { return nil }
        guard let places = try? Decimals(3), let value = try? DecimalText.read(feeRate, places).uint64,
            (1...BitcoinLimits.highestFeeRate.satoshisPerKilobyte).contains(value)
        else { throw .usage("--fee-rate takes satoshi per virtual byte, as in '12.5', up to 5000") }
        return FeeRate(satoshisPerKilobyte: value)
    }
}

/// How far a wallet's addresses are looked at.
struct AddressesOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "How many addresses of each kind are looked at for coins (Bitcoin; default: 200, and of an explorer as far as "
                + "they were used).", valueName: "number"))
    var addresses: UInt32?

    @Option(
        help: ArgumentHelp(
            "How many are looked at behind the last address that was used or shown (Bitcoin).", valueName: "number"))
    var gap: UInt32 = 20

    @Option(
        help: ArgumentHelp(
            "Look at these indices of each kind, too: '1000000-1000100'; once for each range (Bitcoin).",
            valueName: "first-last"))
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

    /// Nil if one cannot be read.
    private var ranges: [ClosedRange<UInt32>]? {
        var ranges: [ClosedRange<UInt32>] = []
        for text in indexRange {
            let ends = text.split(separator: "-", omittingEmptySubsequences: false).map { UInt32($0) }
            guard let first = ends.first ?? nil, let last = ends.last ?? nil, ends.count <= 2, first <= last,
                last < 1 << 31
            else { return nil }
            ranges.append(first...last)
        }
        return ranges
    }

    /// Where a wallet's coins are looked for.
    func reach(of wallet: WalletRecord, in home: WalletHome) -> AddressReach {
        reach(shown: home.shownAddresses(of: wallet))
    }

    /// - Parameter shown: what this machine has shown; nothing for keys that are no wallet's.
    func reach(shown: ShownAddresses) -> AddressReach {
        AddressReach(first: addresses, gap: gap, ranges: ranges ?? [], shown: shown)
    }

    /// In words: `the first 200 addresses`.
    var text: String {
        let named = (ranges ?? []).map { " and those from \($0.lowerBound) to \($0.upperBound)" }
        return "the first \(addresses ?? BitcoinLimits.scannedAddresses) addresses" + named.joined()
    }

    /// Deriving more would take seconds, and asking for them minutes.
    private static let most: UInt32 = BitcoinLimits.farthestAddress
}
