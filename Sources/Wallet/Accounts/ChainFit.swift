public import Ethereum
public import HDKeys

/// Whether a chain fits a wallet's network. A wallet for test coins is guarded less carefully, and its keys should
/// never have real coins; a wallet for real coins should not be used for tests.
public enum ChainFit: Hashable, Sendable {
    /// The chain goes with the wallet's network.
    case fits
    /// A wallet of a test network, and a chain with real coins.
    case realCoinsForTestWallet
    /// The wallet is for a test network, and the chain is unknown: its coins may have a value.
    case unknownCoinsForTestWallet
    /// A wallet for real coins, and a test network.
    case testCoinsForRealWallet

    /// Compares a chain with the network of a wallet.
    ///
    /// - Parameters:
    ///   - chain: the chain to be used.
    ///   - network: the Bitcoin network for which the wallet was made.
    public init(of chain: ChainID, to network: Network) {
        self =
            switch (network == .mainnet, chain.worth) {
            case (true, .real), (true, .unknown), (false, .test): .fits
            case (true, .test): .testCoinsForRealWallet
            case (false, .real): .realCoinsForTestWallet
            case (false, .unknown): .unknownCoinsForTestWallet
            }
    }

    /// Returns the reason why a wallet and a chain do not fit, as an English clause; nil if they fit.
    ///
    /// - Parameter wallet: the words for the wallet in the clause.
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
