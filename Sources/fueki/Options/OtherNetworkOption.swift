internal import ArgumentParser
internal import Custody
internal import Wallet

/// Whether a wallet and a chain of Ethereum's kind may be of different worth: one for test coins, the other for real ones.
struct OtherNetworkOption: ParsableArguments {
    @Flag(
        help: ArgumentHelp(
            "Use a wallet of a test network on a chain with real coins, or a wallet for real coins on a test network."))
    var otherNetwork = false

    /// Refuses a chain whose coins are worth something for a wallet that was made for test coins, and the other way round, unless
    /// the person has said that it is meant.
    func check(_ chain: ChainID, for wallet: WalletRecord) throws(Failure) {
        guard !otherNetwork else { return }
        let network = wallet.network.name
        let message: String
        switch ChainFit(of: chain, to: wallet.network) {
        case .fits: return
        case .realCoinsForTestWallet:
            message =
                "the wallet '\(wallet.name)' is for test coins (\(network)), and those of \(chain) are worth something"
        case .unknownCoinsForTestWallet:
            message =
                "the wallet '\(wallet.name)' is for test coins (\(network)), and those of \(chain), which fueki does not "
                + "know, may be worth something"
        case .testCoinsForRealWallet:
            message = "the wallet '\(wallet.name)' is for real coins (\(network)), and \(chain) is for tests"
        }
        throw Failure(
            code: .refused, name: "other_network", message: message,
            hint: "name another wallet or another --chain; if it is meant, add --other-network")
    }
}
