internal import Foundation
import TestSupport
import Testing

/// A node learns which transactions belong to the wallet, so it is asked only when the person requests it.
@Suite(
    "The history of a wallet, and the node that the environment names",
    .enabled(if: Peer.python.isExpected, Comment(rawValue: Peer.python.absence)))
struct HistoryRefreshTests {
    @Test("the node in the environment is asked only with --refresh")
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

    @Test(
        "without --chain, each chain with something open is asked whose node is named; a node that fails hides no list"
    )
    func chains() throws {
        let bench = try EthereumBench()
        _ = try bench.sent("0.1eth")
        try bench.mine()
        func list(_ more: [String], _ environment: [String: String]) throws -> Program.Outcome {
            try Program.run(
                "\(FuekiCommand.binaries)/fueki", ["history", "savings", "--passphrase-file", "passphrase"] + more,
                environment: ["FUEKI_HOME": "\(bench.wallet.folder)/home"].merging(environment) { $1 },
                in: bench.wallet.folder)
        }
        let nobody = "http://127.0.0.1:1"
        let unasked = try list(["--refresh", "--sent"], ["FUEKI_BITCOIN_NODE": nobody])
        #expect(unasked.isSuccess && unasked.output.contains("  sent\n"), "\(unasked.errors)")
        #expect(
            unasked.errors.contains("signed for local test chain (\(EthereumBench.chain)): no node"),
            "\(unasked.errors)")
        let dead = try list(["--refresh", "--json"], ["FUEKI_ETHEREUM_NODE": nobody])
        #expect(dead.status == 69 && dead.errors.contains("(the node is \(nobody)"), "\(dead.errors)")
        let entries = try JSONDecoder().decode([EthereumBench.Entry].self, from: Data(dead.output.utf8))
        #expect(entries.map(\.state) == ["sent"])
        let other = try list(["--node", bench.node.url], [:])
        #expect(other.status == 69 && other.errors.contains("add --chain ethereum"), "\(other.errors)")
        let none = try list(["--refresh"], [:])
        #expect(none.status == 64 && none.errors.contains("no node is named"), "\(none.errors)")
        let both = ["FUEKI_BITCOIN_NODE": nobody, "FUEKI_ETHEREUM_NODE": bench.node.url]
        let asked = try list(["--refresh", "--sent"], both)
        #expect(asked.isSuccess && asked.output.contains("  mined, 1 confirmation\n"), "\(asked.errors)")
        // Payments to the wallet on Bitcoin are asked for, too: what a dead node cannot say is told after the list.
        let all = try list(["--refresh"], both)
        #expect(all.status == 69 && all.errors.contains("(the node is \(nobody)"), "\(all.errors)")
        #expect(all.output.contains("  mined, 1 confirmation\n"), "\(all.output)")
    }
}
