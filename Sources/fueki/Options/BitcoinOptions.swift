internal import ArgumentParser
internal import Nodes
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
            (1...WalletLimits.highestFeeRate.satoshisPerKilobyte).contains(value)
        else { throw .usage("--fee-rate takes satoshi per virtual byte, as in '12.5', up to 5000") }
        return FeeRate(satoshisPerKilobyte: value)
    }
}

/// How far a wallet's addresses are looked at.
struct AddressesOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "How many addresses of each kind are looked at for coins (Bitcoin).", valueName: "number"))
    var addresses = WalletLimits.scannedAddresses

    func validate() throws {
        guard (1...Self.most).contains(addresses) else { throw ValidationError("--addresses is 1 to \(Self.most)") }
    }

    /// Deriving more would take seconds, and asking for them minutes.
    private static let most: UInt32 = 20_000
}
