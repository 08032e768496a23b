import Ethereum
import HDKeys
import Testing
import Wallet

@Suite("Wallets and the chains that they fit")
struct ChainFitTests {
    @Test("a wallet for test coins is refused on real or unknown chains, and one for real coins on a test network")
    func fit() throws {
        func fit(_ chain: UInt64, _ network: Network) throws -> ChainFit {
            ChainFit(of: try ChainID(chain), to: network)
        }
        for network in Network.allCases where network != .mainnet {
            #expect(try fit(1, network) == .realCoinsForTestWallet && fit(137, network) == .realCoinsForTestWallet)
            #expect(try fit(12_345, network) == .unknownCoinsForTestWallet)
            #expect(try fit(11_155_111, network) == .fits && fit(31_337, network) == .fits)
        }
        #expect(try fit(1, .mainnet) == .fits && fit(12_345, .mainnet) == .fits)
        #expect(
            try fit(11_155_111, .mainnet) == .testCoinsForRealWallet && fit(31_337, .mainnet) == .testCoinsForRealWallet
        )
    }
}
