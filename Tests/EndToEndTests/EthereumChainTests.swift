internal import Foundation
import TestSupport
import Testing

/// Ethereum-like chains: their fees, their names, and the wallets that may use them.
@Suite(
    "Other chains of Ethereum's kind",
    .enabled(if: Peer.python.isExpected, Comment(rawValue: Peer.python.absence)))
struct EthereumChainTests {
    private static let arbitrumSepolia: UInt64 = 421_614
    private static let baseSepolia: UInt64 = 84_532
    private static let unknown: UInt64 = 12_345

    private static func word(_ number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return "\"0x" + String(repeating: "0", count: 64 - digits.count) + digits + "\""
    }

    /// From now on the node estimates this much gas.
    private func estimate(_ gas: UInt64, _ bench: borrowing EthereumBench) throws {
        try bench.node.tell("evm_disturb", "\"eth_estimateGas\", {\"result\": \"0x\(String(gas, radix: 16))\"}")
    }

    @Test("where a payment takes more than 21,000 gas, the node is asked for it: to pay, to cancel and to speed up")
    func gas() throws {
        let bench = try EthereumBench(chain: Self.arbitrumSepolia)
        try estimate(90_000, bench)
        let paid = try bench.sent("0.1eth")
        #expect(paid.intent?.gas_limit == 108_000)
        let cancelled = try bench.outcome(bench.replace("cancel", paid.hash))
        #expect(cancelled.nonce == 0 && cancelled.intent?.gas_limit == 108_000)
        // The chain requires more now, and then less: a limit only rises.
        let second = try bench.sent("0.2eth")
        try estimate(100_000, bench)
        let faster = try bench.outcome(bench.replace("speed-up", second.hash))
        #expect(faster.intent?.gas_limit == 120_000)
        try estimate(21_000, bench)
        #expect(try bench.outcome(bench.replace("speed-up", faster.hash)).intent?.gas_limit == 120_000)
        try bench.mine()
        #expect(try bench.balance(of: EthereumBench.bob) == EthereumBench.ether("0.2"))

        // More than any transaction may have, or than is allowed to cost: nothing is signed, and no nonce is lost.
        try estimate(1 << 30, bench)
        try bench.expect(try bench.send("0.3eth"), 69, "bad_answer", "about the gas")
        try estimate(16_000_000, bench)
        try bench.expect(try bench.send("0.3eth", "--max-fee", "21000gwei"), 2, "fee_above_ceiling")
        try estimate(90_000, bench)
        #expect(try bench.sent("0.3eth").nonce == 2)
        // The person's value takes precedence over the node's.
        #expect(try bench.sent("0.4eth", "--gas-limit", "30000").intent?.gas_limit == 30_000)
        // An unpayable payment is refused in these words, though no node estimates it.
        try bench.node.tell("evm_disturb", #""eth_estimateGas", null"#)
        try bench.expect(try bench.send("11eth"), 2, "refused", "does not have what is paid")
    }

    @Test("on Ethereum's own test network no node is asked for the gas of a payment")
    func protocolGas() throws {
        let bench = try EthereumBench(chain: 11_155_111)
        try estimate(90_000, bench)
        let paid = try bench.sent("0.1eth")
        #expect(paid.intent?.gas_limit == 21_000)
        #expect(try bench.outcome(bench.replace("cancel", paid.hash)).intent?.gas_limit == 21_000)
        #expect(try bench.asked("eth_estimateGas") == 0)
    }

    @Test("an additional fee beside gas is shown, has to be covered, and counts for --max-fee, but is not signed")
    func furtherFee() throws {
        let bench = try EthereumBench(chain: Self.baseSepolia)
        let fee = 300_000_000_000_000 as UInt64
        let oracle = try bench.liar(["eth_call": .resultOf("49948e0e", Self.word(fee))])
        let paid = try bench.outcome(bench.send("0.1eth", node: oracle.url))
        let intent = try #require(paid.intent)
        let remark = try #require(intent.remarks.first { $0.name == "further_fee" })
        #expect(remark.weight == "notice" && remark.text.contains("0.0003 ETH now"), "\(remark.text)")
        #expect(remark.text.contains("0.0006 ETH set aside"), "\(remark.text)")
        let gas = try #require(Decimal(string: intent.highest_fee))
        let sum = (gas + Decimal(fee * 2)) / 1_000_000_000_000_000_000
        #expect(remark.text.hasSuffix("the fees are \(sum) ETH"), "\(remark.text)")

        // Exactly the balance without the additional fee, and with it.
        try bench.mine()
        let left = try bench.balance(of: bench.account)
        func all(_ reserve: Decimal) -> String { "\(left - gas * 2 - reserve)wei" }
        try bench.expect(try bench.send(all(0), node: oracle.url), 2, "refused", "does not have what is paid")
        #expect(try bench.send(all(Decimal(fee * 2)), "--dry-run", node: oracle.url).isSuccess)
        try bench.expect(
            try bench.send("0.1eth", "--max-fee", "0.0006eth", node: oracle.url), 2, "fee_above_ceiling",
            "0.0006 ETH of it beside gas")
        try bench.expect(
            try bench.send("0.1eth", "--max-fee", "0.0005eth", node: oracle.url), 2, "fee_above_ceiling",
            "0.0006 ETH beside the fee for gas")
        // If a node does not report it, it is not shown, and the payment is made nevertheless.
        let silent = try bench.sent("0.1eth")
        let untold = try #require(silent.intent?.remarks.first { $0.name == "further_fee" })
        #expect(untold.text.hasSuffix("the node does not say how much"), "\(untold.text)")
    }

    @Test(
        "a sweep leaves what the chain charges beside gas, takes the estimated gas, and offers no more than others do")
    func sweep() throws {
        struct Swept: Decodable {
            let id: String?
            let amount: String
            let highest_fee: String
        }
        struct Account: Decodable { let address: String }
        let bench = try EthereumBench(chain: Self.baseSepolia)
        let words = "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about"
        try bench.wallet.fueki.folder.write(words + "\n", to: "words")
        // m/44'/60'/0'/0/0 of this mnemonic, as every wallet shows it.
        let old = "0x9858EfFD232B4033E47d90003D41EC34EcaEda94"
        try bench.node.tell("evm_fund", "\"\(old)\", \"0xde0b6b3a7640000\"")
        let greedy = #"{"baseFeePerGas": ["0x1", "0x1"], "reward": [["0xe8d4a51000", "0xe8d4a51000", "0xe8d4a51000"]]}"#
        let liar = try bench.liar([
            "eth_call": .resultOf("49948e0e", Self.word(300_000_000_000_000)), "eth_estimateGas": .result("\"0x9c40\""),
            "eth_feeHistory": .result(greedy),
        ])
        let swept = try bench.wallet.fueki.json(
            [
                "wallet", "sweep", "--mnemonic-file", "words", "--into", "savings", "--chain", "base-sepolia", "--node",
                liar.url, "--yes", "--passphrase-file", "passphrase",
            ], as: Swept.self)
        // 48,000 units at 100 gwei and twice the base fee, and twice the fee for data.
        let fee = Decimal(100_000_000_002) * 48_000 + Decimal(600_000_000_000_000)
        #expect(Decimal(string: swept.highest_fee) == fee)
        #expect(Decimal(string: swept.amount) == EthereumBench.ether("1") - fee)
        try bench.mine()
        #expect(try bench.balance(of: bench.account) == EthereumBench.ether("11") - fee)
    }

    @Test("an unknown chain is reported as such, its coin has no name, and ether's name is refused there")
    func unknownChain() throws {
        let bench = try EthereumBench(chain: Self.unknown, network: "mainnet")
        try bench.expect(
            try bench.send("0.1eth"), 64, "usage", "the coin of chain 12345 is not known here, as in '0.1coins'")
        let paid = try bench.sent("0.1coins")
        let remark = try #require(paid.intent?.remarks.first { $0.name == "unknown_chain" })
        #expect(remark.weight == "notice")
        let shown = try bench.wallet.fueki.run(
            "send", "savings", "--to", EthereumBench.bob, "--amount", "1coins", "--chain", "ethereum:12345", "--node",
            bench.node.url, "--dry-run", "--passphrase-file", "passphrase")
        #expect(shown.output.contains("savings, on chain 12345\n"), "\(shown.output)")
        #expect(shown.output.contains("1 coins") && !shown.output.contains("ETH"), "\(shown.output)")
        #expect(shown.output.contains("note: this wallet does not know the chain"), "\(shown.output)")
    }

    @Test("amounts, fees and balances are in the chain's own coin, and the chain has its name")
    func coin() throws {
        let bench = try EthereumBench(chain: 137, network: "mainnet")
        try bench.expect(try bench.send("0.1eth"), 64, "usage", "the coin of Polygon is POL, as in '0.1pol'")
        try bench.expect(try bench.send("0.1pol", "--max-fee", "1eth"), 64, "usage", "--max-fee is in another coin")
        let shown = try bench.wallet.fueki.run(
            "send", "savings", "--to", EthereumBench.bob, "--amount", "0.1pol", "--chain", "polygon", "--node",
            bench.node.url, "--dry-run", "--passphrase-file", "passphrase")
        #expect(shown.output.contains("savings, on Polygon (ethereum:137)\n"), "\(shown.output)")
        #expect(shown.output.contains("0.1 POL") && !shown.output.contains("ETH"), "\(shown.output)")
        // Five POL are worth as little as 0.02 ether: a price of 100,000 gwei is accepted there, and not on Ethereum.
        try bench.node.tell(
            "evm_disturb", #""eth_feeHistory", {"result": {"baseFeePerGas": ["0x5af3107a4000", "0x5af3107a4000"]}}"#)
        try bench.expect(
            try bench.send("0.1pol", "--dry-run"), 2, "needs_confirmation", "the fee may be more than 1.25 POL")
        let paid = try bench.send("0.1pol", "--dry-run", "--accept", "large_fee")
        #expect(paid.isSuccess, "\(paid.errors)")
        try bench.node.tell(
            "evm_disturb", #""eth_feeHistory", {"result": {"baseFeePerGas": ["0xe35fa931a000", "0xe35fa931a000"]}}"#)
        try bench.expect(try bench.send("0.1pol"), 2, "fee_above_ceiling", "may cost 5 POL (--max-fee)")
        try bench.node.tell("evm_disturb", #""eth_feeHistory", null"#)
        #expect(try bench.sent("0.1pol").chain == "ethereum:137")
        let history = try bench.wallet.fueki.run("history", "savings", "--passphrase-file", "passphrase")
        #expect(history.output.contains("0.1 POL") && history.output.contains("on Polygon"), "\(history.output)")
    }

    @Test(
        "a wallet for test coins does nothing on a chain with real or unknown ones, and one for real coins nothing for tests"
    )
    func otherNetwork() throws {
        let hash = "0x" + String(repeating: "5a", count: 32)
        for (network, chain, words) in [
            ("regtest", "ethereum", "those of Ethereum (chain 1) are worth something"),
            ("signet", "base", "those of Base (chain 8453) are worth something"),
            ("regtest", "ethereum:12345", "which fueki does not know, may be worth something"),
            ("mainnet", "sepolia", "is for real coins (mainnet), and Sepolia (chain 11155111) is for tests"),
        ] {
            let wallet = try TestWallet(network: network)
            try wallet.fueki.folder.write("abandon\n", to: "words")
            let more = ["--chain", chain, "--node", "http://127.0.0.1:1", "--json"]
            let sign = ["--passphrase-file", "passphrase", "--yes"]
            for command in [
                ["balance", "savings"], ["send", "savings", "--to", EthereumBench.bob, "--amount", "1wei"] + sign,
                ["speed-up", "savings", hash] + sign, ["cancel", "savings", hash] + sign,
                ["wallet", "sweep", "--mnemonic-file", "words", "--into", "savings", "--yes"],
            ] {
                let ended = try wallet.fueki.run(command + more)
                #expect(ended.status == 2 && ended.errors.contains("\"other_network\""), "\(ended.errors)")
                #expect(ended.errors.contains(words) && ended.errors.contains("--other-network"), "\(ended.errors)")
            }
            let meant = try wallet.fueki.run(["balance", "savings", "--other-network"] + more)
            #expect(meant.status == 69, "\(meant.errors)")
        }
    }
}
