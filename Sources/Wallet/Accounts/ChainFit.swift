public import Ethereum
public import HDKeys

/// Whether a wallet's network and a chain go together. A wallet for test coins is kept as test coins are, and its keys should never
/// hold real ones; a wallet for real coins should not be taken for a toy.
public enum ChainFit: Hashable, Sendable {
    /// The chain goes with the wallet's network.
    case fits
    /// A wallet of a test network, and a chain with real coins.
    case realCoinsForTestWallet
    /// A wallet of a test network, and a chain that this wallet does not know: its coins may be worth something.
    case unknownCoinsForTestWallet
    /// A wallet for real coins, and a test network.
    case testCoinsForRealWallet

    /// Compares a chain with the network of a wallet.
    ///
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

    /// The reason why a wallet and a chain do not go together, a clause of English; nil where they do.
    ///
    /// - Parameter wallet: what the clause calls the wallet.
    public static func mismatch(of chain: ChainID, to network: Network, wallet: String = "the wallet") -> String? {
        let test = "\(wallet) is for test coins (\(network.name)), and those of \(chain)"
        return switch ChainFit(of: chain, to: network) {
        case .fits: nil
        case .realCoinsForTestWallet: "\(test) are worth something"
        case .unknownCoinsForTestWallet: "\(test), which fueki does not know, may be worth something"
        case .testCoinsForRealWallet: "\(wallet) is for real coins (\(network.name)), and \(chain) is for tests"
        }
    }
}
