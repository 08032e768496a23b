internal import ArgumentParser
internal import Custody
internal import Ethereum
internal import SigningSession
internal import Texts
internal import Wallet

/// The option that permits a test wallet on an Ethereum-type chain with real coins, and a wallet for real coins on a
/// test chain.
struct OtherNetworkOption: ParsableArguments {
    @Flag(
        help: ArgumentHelp(
            "Use a wallet of a test network on a chain with real coins, or a wallet for real coins on a test network.",
            visibility: .hidden))
    var otherNetwork = false

    /// The costly finding that the option accepts.
    var accepted: AcceptedFindings { otherNetwork ? .otherNetwork : .none }

    /// Refuses a test wallet on a chain with real coins, and a wallet for real coins on a test chain, unless the user
    /// passes `--other-network`.
    func check(_ chain: ChainID, for wallet: WalletRecord) throws(Failure) {
        guard !otherNetwork,
            let message = ChainFit.mismatch(of: chain, to: wallet.network, wallet: "the wallet '\(wallet.name)'")
        else { return }
        throw Failure(
            code: .refused, name: "other_network", message: message,
            hint: "name another wallet or another --chain; if it is meant, add --other-network")
    }
}
