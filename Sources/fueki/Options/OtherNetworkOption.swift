internal import ArgumentParser
internal import Custody
internal import Ethereum
internal import Terminal
internal import Wallet

/// Whether a wallet and a chain of Ethereum's kind may be of different worth: one for test coins, the other for real ones.
struct OtherNetworkOption: ParsableArguments {
    @Flag(
        help: ArgumentHelp(
            "Use a wallet of a test network on a chain with real coins, or a wallet for real coins on a test network."))
    var otherNetwork = false

    /// The costly finding that the option accepts in what is signed.
    var accepted: Set<String> { otherNetwork ? ["other_network"] : [] }

    /// Refuses a chain whose coins are worth something for a wallet that was made for test coins, and the other way round, unless
    /// the person has said that it is meant.
    func check(_ chain: ChainID, for wallet: WalletRecord) throws(Failure) {
        guard !otherNetwork,
            let message = ChainFit.mismatch(of: chain, to: wallet.network, wallet: "the wallet '\(wallet.name)'")
        else { return }
        throw Failure(
            code: .refused, name: "other_network", message: message,
            hint: "name another wallet or another --chain; if it is meant, add --other-network")
    }
}
