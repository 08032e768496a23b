internal import Foundation
import TestSupport
import Testing

/// The main use on Ethereum, on a real EVM: py-evm runs the signed transactions, and eth-account recovers their
/// signers.
@Suite(
    "A payment on Ethereum, from the wallet to the block",
    .enabled(if: Peer.python.isExpected, Comment(rawValue: Peer.python.absence)))
struct EthereumPaymentTests {
    @Test("each of the three pairs of shares pays; eth-account recovers the account, and balances change exactly")
    func threePairs() throws {
        let bench = try EthereumBench()
        var expected = EthereumBench.ether("10")
        for (number, pair) in ["device,backup", "device,recovery", "backup,recovery"].enumerated() {
            let sent = try bench.sent("0.1eth", "--with", pair)
            #expect((sent.state, sent.nonce, sent.earlier) == ("sent", number, false))
            #expect(sent.block == nil)
            #expect((sent.chain, sent.account, sent.from) == (EthereumBench.chain, 0, bench.account))
            #expect(sent.shares == pair.split(separator: ",").map(String.init))
            let raw = try bench.raw(sent.hash)
            #expect(sent.transaction == "0x" + raw)
            #expect(try EthAccount.senders(of: [raw]) == [bench.account], "\(pair)")

            try bench.mine()
            let receipt = try bench.receipt(sent.hash)
            #expect(receipt.isSuccess)
            expected -= EthereumBench.ether("0.1") + receipt.fee
            #expect(try bench.balance(of: bench.account) == expected)
            #expect(try bench.balance(of: EthereumBench.bob) == EthereumBench.ether("0.1") * Decimal(number + 1))
        }
    }

    @Test("two waiting payments have different nonces, and both are mined; another account has its own nonces")
    func severalWait() throws {
        let bench = try EthereumBench()
        let first = try bench.sent("1gwei")
        let second = try bench.sent("2gwei", to: EthereumBench.carol)
        #expect(first.nonce == 0 && second.nonce == 1)
        // The node loses both: the third still gets the next nonce, and sends them again.
        try bench.node.tell("evm_forget")
        let third = try bench.sent("3gwei", to: EthereumBench.carol)
        #expect(third.nonce == 2)
        try bench.mine()
        for sent in [first, second, third] { #expect(try bench.receipt(sent.hash).isSuccess) }
        #expect(try bench.balance(of: EthereumBench.bob) == 1_000_000_000)
        #expect(try bench.balance(of: EthereumBench.carol) == 5_000_000_000)

        let other = try bench.wallet.fueki.json(
            "address", "savings", "--type", "ethereum", "--account", "1", as: EthereumBench.Account.self
        ).address
        try bench.node.tell("evm_fund", "\"\(other)\", \"0x8ac7230489e80000\"")
        let from = try bench.sent("4gwei", "--account", "1")
        #expect((from.account, from.nonce, from.from) == (1, 0, other))
        #expect(try EthAccount.senders(of: [bench.raw(from.hash)]) == [other])
    }

    @Test("with --wait the command ends when the payment is in a block, and shows its cost")
    func waits() throws {
        let bench = try EthereumBench()
        try bench.node.tell("evm_automine", "2")
        let sent = try bench.sent("0.1eth", "--wait", "--fee", "high")
        #expect(sent.state == "mined" && sent.block == 2)
        #expect(try bench.history().map(\.state) == ["mined"])
        #expect(try Decimal(string: sent.fee_paid ?? "") == bench.receipt(sent.hash).fee)
    }

    @Test("a payment request for coins or tokens is paid, in its smallest unit")
    func request() throws {
        let bench = try EthereumBench()
        let coins = "ethereum:\(EthereumBench.bob)@31337?value=1.5e17"
        let sent = try bench.wallet.fueki.run(bench.words(["send", bench.wallet.name, "--to", coins]))
        #expect(sent.isSuccess, "\(sent.errors)")
        let token = try bench.token(20_000_000)
        let tokens = "ethereum:\(token)@31337/transfer?address=\(EthereumBench.bob)&uint256=12.5e6"
        let paid = try bench.wallet.fueki.run(
            bench.words(["send", bench.wallet.name, "--to", tokens, "--token", token, "--decimals", "6"]))
        #expect(paid.isSuccess, "\(paid.errors)")
        try bench.mine()
        #expect(try bench.balance(of: EthereumBench.bob) == EthereumBench.ether("0.15"))
        #expect(try bench.balance(of: EthereumBench.bob, token: token) == 12_500_000)
    }

    @Test("tokens are paid in their usual unit, and a transfer that fails in its block is an error")
    func tokens() throws {
        let bench = try EthereumBench()
        let token = try bench.token(20_000_000)
        let sent = try bench.sent("12.5", "--token", token, "--decimals", "6", "--with", "backup,recovery")
        #expect(try EthAccount.senders(of: [bench.raw(sent.hash)]) == [bench.account])
        try bench.mine()
        #expect(try bench.balance(of: EthereumBench.bob, token: token) == 12_500_000)
        #expect(try bench.balance(of: bench.account, token: token) == 7_500_000)
        #expect(try bench.balance(of: EthereumBench.bob) == 0)

        // Without stated decimals a person uses the node's value, and a script does not.
        let unsaid = try bench.send("7", "--token", token)
        try bench.expect(
            unsaid, 2, "needs_confirmation", "7000000 of the smallest unit is 7, if the token has 6 decimals")
        let tooMuch = try bench.send("7.500001", "--token", token)
        try bench.expect(tooMuch, 2, "insufficient_tokens", "has 7.5 of the token, and 7.500001 are to be paid")
        try bench.expect(try bench.send("1.0000001", "--token", token), 64, "usage", "at most 6 decimals")
        try bench.expect(try bench.send("1eth", "--token", token), 64, "usage", "without a unit")
        try bench.expect(try bench.send("1", "--token", token, "--decimals", "18"), 2, "other_decimals", "6 decimals")
        try bench.expect(try bench.send("1", "--token", EthereumBench.carol), 65, "no_token", "there is no contract")
        try bench.expect(try bench.send("1", to: token, "--token", token), 2, "refused", "to their own contract")

        // Both succeed in the estimate; when the second is mined, nothing is left.
        try bench.setPolicy(
            """
            {"version": 1, "rules": [{"name": "all", "then": "allow"}], "assets": {"TST": {"chain": "ethereum:31337", \
            "contract": "\(token)", "decimals": 6}}}
            """)
        _ = try bench.sent("7.5", "--token", token)
        try bench.node.tell("evm_automine", "1")
        let reverted = try bench.send("7.5", to: EthereumBench.carol, "--token", token, "--wait")
        try bench.expect(reverted, 1, "reverted", "and failed: it cost its fee")
        #expect(try bench.balance(of: EthereumBench.carol, token: token) == 0)
        // The policy's decimals contradict the node's.
        let eighteen = "0x" + String(repeating: "0", count: 62) + "12"
        try bench.node.tell("evm_disturb", "\"eth_call\", {\"result\": \"\(eighteen)\"}")
        try bench.expect(try bench.send("1", "--token", token), 2, "other_decimals", "18 decimals, and not 6")
    }

    @Test("a waiting payment is sped up, and cancelled; later nonces continue after both")
    func replacements() throws {
        let bench = try EthereumBench()
        let first = try bench.sent("0.1eth", "--fee", "low")
        let faster = try bench.outcome(
            bench.replace("speed-up", first.hash, "--fee", "low", "--with", "backup,recovery"))
        #expect(faster.nonce == 0 && faster.hash != first.hash)
        #expect(try EthAccount.senders(of: [bench.raw(faster.hash)]) == [bench.account])
        try bench.expect(bench.replace("speed-up", first.hash), 2, "replaced", "\(faster.hash) has replaced it")
        let second = try bench.sent("0.2eth", to: EthereumBench.carol)
        #expect(second.nonce == 1)
        let cancelled = try bench.outcome(bench.replace("cancel", second.hash))
        #expect(cancelled.nonce == 1)
        #expect(try EthAccount.senders(of: [bench.raw(cancelled.hash)]) == [bench.account])
        try bench.expect(
            bench.replace("cancel", cancelled.hash, "--max-fee", "21000gwei"), 2, "fee_above_ceiling")
        try bench.mine()
        #expect(try bench.receipt(faster.hash).isSuccess && bench.receipt(cancelled.hash).isSuccess)
        #expect(try bench.balance(of: EthereumBench.bob) == EthereumBench.ether("0.1"))
        #expect(try bench.balance(of: EthereumBench.carol) == 0)
        let fees = try bench.receipt(faster.hash).fee + bench.receipt(cancelled.hash).fee
        #expect(try bench.balance(of: bench.account) == EthereumBench.ether("9.9") - fees)

        // A replaced transaction is over when its replacement is final.
        #expect(try bench.history(asking: true).map(\.state) == ["sent", "mined", "sent", "mined"])
        for _ in 0..<63 { try bench.mine() }
        let history = try bench.history(asking: true)
        #expect(history.map(\.id) == [first.hash, faster.hash, second.hash, cancelled.hash])
        #expect(history.map(\.state) == ["replaced", "mined", "replaced", "mined"])
        try bench.expect(bench.replace("cancel", faster.hash), 2, "mined", "is in block")
        let unknown = "0x" + String(repeating: "5a", count: 32)
        try bench.expect(bench.replace("cancel", unknown), 2, "not_waiting")
        try bench.expect(bench.replace("cancel", "5a"), 64, "usage")
        let sign = ["--passphrase-file", "passphrase", "--yes", "--json", "--node"]
        let sepolia = try EVMNode(chain: 11_155_111)
        let elsewhere = try bench.wallet.fueki.run(
            ["cancel", "savings", faster.hash, "--chain", "sepolia"] + sign + [sepolia.url])
        try bench.expect(elsewhere, 64, "other_chain", "was made on another chain, \(EthereumBench.chain)")
        for command in ["cancel", "speed-up"] {
            let bitcoin = try bench.wallet.fueki.run([command, "savings", faster.hash] + sign + [bench.node.url])
            try bench.expect(bitcoin, 64, "usage", "is not the id of a Bitcoin transaction")
        }
        #expect(try bench.sent("1gwei").nonce == 2)
    }

    @Test("the exact balance of an account, in ether and a token, is shown without a passphrase")
    func balances() throws {
        struct Balance: Decodable {
            struct Amount: Decodable {
                let amount: String
                let decimal: String
            }
            struct Account: Decodable {
                let account: Int
                let address: String
                let ether: String
                let amount: String
                let token: Amount?
            }
            let wallet: String
            let chain: String
            let accounts: [Account]
            let total: Total
            struct Total: Decodable {
                let ether: String
                let token: Amount?
            }
        }
        let bench = try EthereumBench()
        let token = try bench.token(1_000_001)
        let third = try bench.wallet.fueki.json(
            "address", "savings", "--type", "ethereum", "--account", "3", as: EthereumBench.Account.self
        ).address
        try bench.node.tell("evm_fund", "\"\(third)\", \"0x1\"")
        let ask = ["balance", "savings", "--chain", EthereumBench.chain, "--node", bench.node.url]
        let all = try bench.wallet.fueki.json(ask + ["--token", token], as: Balance.self)
        #expect(all.wallet == "savings" && all.chain == EthereumBench.chain)
        #expect(all.accounts.map(\.account) == [0, 3])
        #expect(all.accounts.map(\.address) == [bench.account, third])
        #expect(all.accounts.map(\.ether) == ["10", "0.000000000000000001"])
        #expect(all.accounts.map { $0.token?.decimal } == ["1.000001", "0"])
        #expect(all.total.ether == "10.000000000000000001" && all.total.token?.amount == "1000001")
        let one = try bench.wallet.fueki.json(ask + ["--account", "3"], as: Balance.self)
        #expect(one.accounts.map(\.amount) == ["1"] && one.accounts[0].token == nil)
        let text = try bench.wallet.fueki.run(ask).output
        let polygon = try EVMNode(chain: 137)
        let other = try bench.wallet.fueki.run(
            "balance", "savings", "--chain", "polygon", "--node", polygon.url, "--other-network")
        #expect(other.output.contains("0  POL") && !other.output.contains("ETH"), "\(other.output)")
        #expect(other.output.contains("savings, on Polygon (ethereum:137)"), "\(other.output)")
        #expect(text.contains("0  \(bench.account)  ") && text.contains("10.000000000000000001  ETH"), "\(text)")
    }
}
