internal import Foundation
import TestSupport
import Testing

/// A node learns which transactions are the wallet's: it is asked only where the person says so.
@Suite(
    "The history of a wallet, and the node that the environment names",
    .enabled(if: Peer.python.isExpected, Comment(rawValue: Peer.python.absence)))
struct HistoryRefreshTests {
    @Test("the node of the environment is not asked by itself, and with --refresh it is")
    func environment() throws {
        let bench = try EthereumBench()
        _ = try bench.sent("0.1eth")
        try bench.mine()
        func states(_ more: [String]) throws -> [String] {
            let ended = try Program.run(
                "\(FuekiCommand.binaries)/fueki",
                ["history", "savings", "--chain", EthereumBench.chain, "--passphrase-file", "passphrase", "--json"]
                    + more,
                environment: ["FUEKI_HOME": "\(bench.wallet.folder)/home", "FUEKI_ETHEREUM_NODE": bench.node.url],
                in: bench.wallet.folder)
            try #require(ended.isSuccess, "\(ended.errors)")
            return try JSONDecoder().decode([EthereumBench.Entry].self, from: Data(ended.output.utf8)).map(\.state)
        }
        let asked = try bench.asked("eth_chainId")
        #expect(try states([]) == ["sent"])
        #expect(try bench.asked("eth_chainId") == asked)
        #expect(try states(["--refresh"]) == ["mined"])
    }
}
