/// Whether a wallet's network and a chain go together. A wallet for test coins is kept as test coins are, and its keys should never
/// hold real ones; a wallet for real coins should not be taken for a toy.
public enum ChainFit: Hashable, Sendable {
    case fits
    /// A wallet of a test network, and a chain with real coins.
    case realCoinsForTestWallet
    /// A wallet of a test network, and a chain that this wallet does not know: its coins may be worth something.
    case unknownCoinsForTestWallet
    /// A wallet for real coins, and a test network.
    case testCoinsForRealWallet

    /// - Parameters:
    ///   - chain: on which something is to be done.
    ///   - network: of Bitcoin, for which the wallet was made.
    public init(of chain: ChainID, to network: Network) {
        self =
            switch (network == .mainnet, chain.worth) {
            case (true, .real), (true, .unknown), (false, .test): .fits
            case (true, .test): .testCoinsForRealWallet
            case (false, .real): .realCoinsForTestWallet
            case (false, .unknown): .unknownCoinsForTestWallet
            }
    }
}
