internal import Foundation
import TestSupport
import Testing

/// A command waits for its payment (`send --wait`), and another command speeds that up or cancels it.
@Suite(
    "A payment that is sped up or cancelled while its command waits for a block",
    .enabled(if: Peer.node.isExpected, Comment(rawValue: Peer.node.absence)),
    .enabled(if: Peer.python.isExpected, Comment(rawValue: Peer.python.absence)))
struct AwaitedPaymentTests {
    @Test(
        "on Ethereum, sped up: the command ends well and names the transaction that was mined; the next order pays anew"
    )
    func fasterOnEthereum() throws {
        let bench = try EthereumBench()
        let (command, first) = try bench.waiting("0.1eth", "--fee", "low")
        let faster = try bench.outcome(bench.replace("speed-up", first, "--fee", "low"))
        try bench.mine()
        let ended = try bench.outcome(command.outcome())
        #expect(ended.hash == faster.hash && ended.replaced == first)
        #expect(ended.state == "mined" && !ended.earlier && ended.block != nil)
        #expect(ended.warnings == ["\(faster.hash) was mined in the place of \(first), and pays the same"])
        #expect(try bench.history().map(\.state) == ["sent", "mined"])
        let further = try bench.sent("0.1eth")
        #expect(!further.earlier && further.nonce == 1)
    }

    @Test("on Ethereum, mined between two questions of the command: it is told as itself")
    func minedMeanwhile() throws {
        let bench = try EthereumBench()
        try bench.node.tell("evm_automine", "0")
        let late = try bench.liar([
            "eth_getTransactionReceipt": .firstResult("null"), "eth_getTransactionByHash": .firstResult("null"),
        ])
        let sent = try bench.outcome(bench.send("0.1eth", "--wait", node: late.url))
        #expect(sent.state == "mined" && sent.replaced == nil && sent.warnings.isEmpty)
    }

    @Test("on Ethereum, cancelled: the command says so and fails, and the same order is asked about")
    func cancelledOnEthereum() throws {
        let bench = try EthereumBench()
        let (command, first) = try bench.waiting("0.1eth")
        let cancellation = try bench.outcome(bench.replace("cancel", first))
        try bench.mine()
        try bench.expect(
            command.outcome(), 2, "payment_cancelled", "was cancelled meanwhile: \(cancellation.hash) is in block")
        try bench.expect(bench.send("0.1eth"), 2, "needs_confirmation", "the same payment is transaction \(first)")
        #expect(try bench.balance(of: EthereumBench.bob) == 0)
    }

    @Test(
        "on Bitcoin, sped up: the command ends well and names the transaction that was mined; the next order pays anew")
    func fasterOnBitcoin() throws {
        let node = try Node()
        let wallet = try TestWallet()
        try wallet.fund(from: node)
        let options = try wallet.options(node)
        let (command, first) = try wallet.waiting("1btc", options + ["--fee-rate", "1", "--json"])
        let faster = try wallet.fueki.json(wallet.bump("speed-up", first, options), as: SentBitcoin.self)
        try node.mineBlocks(1, to: "51")
        let outcome = try command.outcome()
        let ended = try JSONDecoder().decode(SentBitcoin.self, from: Data(outcome.output.utf8))
        #expect(outcome.isSuccess && ended.txid == faster.txid && ended.replaced == first, "\(outcome.errors)")
        #expect(ended.state == "mined" && !ended.earlier && ended.fee == faster.fee)
        #expect(try wallet.history().map(\.state) == ["sent", "mined"])
        let further = try wallet.fueki.json(wallet.order("1btc", options), as: SentBitcoin.self)
        #expect(!further.earlier)
        try node.mineBlocks(1, to: "51")
        #expect(try node.amounts(paidTo: Bob.scriptPubKey) == [100_000_000, 100_000_000])
    }

    @Test("on Bitcoin, cancelled: the command says so and fails, and the same order is asked about")
    func cancelledOnBitcoin() throws {
        let node = try Node()
        let wallet = try TestWallet()
        try wallet.fund(from: node)
        let options = try wallet.options(node)
        let (command, first) = try wallet.waiting("1btc", options + ["--json"])
        let cancellation = try wallet.fueki.json(wallet.bump("cancel", first, options), as: SentBitcoin.self)
        try node.mineBlocks(1, to: "51")
        let outcome = try command.outcome()
        #expect(outcome.status == 2 && outcome.errors.contains("payment_cancelled"), "\(outcome.errors)")
        #expect(outcome.errors.contains("\(cancellation.txid) is in block"), "\(outcome.errors)")
        let again = try wallet.fueki.run(wallet.order("1btc", options, ["--json"]))
        #expect(again.status == 2 && again.errors.contains("needs_confirmation"), "\(again.errors)")
        #expect(again.errors.contains("the same payment is transaction \(first)"), "\(again.errors)")
        #expect(try node.amounts(paidTo: Bob.scriptPubKey) == [])
    }

    @Test("on Bitcoin, what spends the coins of another payment takes a yes by name, and is not told as that payment")
    func anotherPayment() throws {
        let node = try Node()
        let wallet = try TestWallet()
        _ = try node.fund(scriptPubKey: wallet.address().script_pubkey)
        let (command, first) = try wallet.waiting("1btc", wallet.options(node) + ["--fee-rate", "1", "--json"])
        let (coin, change) = (try #require(node.waiting(first).spent.first), try wallet.address(change: true))
        let psbt = try Embit.psbt(
            inputs: [.init(coin, key: wallet.key(of: wallet.address()))],
            outputs: [
                .init(value: 100_000_000, scriptPubKey: Bob.scriptPubKey),
                .init(
                    value: coin.value - 100_003_000, scriptPubKey: change.script_pubkey, key: wallet.key(of: change)),
            ])
        try wallet.fueki.folder.write(psbt, to: "payment.psbt")
        let refused = try wallet.sign(with: "device,backup")
        wallet.expectNothingSigned(refused, status: 2, says: "--accept replaces")
        let signed = try wallet.sign(with: "device,backup", confirmation: ["--yes", "--accept", "replaces"])
        #expect(signed.isSuccess, "\(signed.errors)")
        try #require(try wallet.fueki.run("psbt", "finalize", "signed.psbt", "-o", "transaction.hex").isSuccess)
        let raw = try wallet.fueki.folder.read("transaction.hex").trimmingCharacters(in: .whitespacesAndNewlines)
        let other = try node.ask("sendrawtransaction", raw).trimmingCharacters(in: .whitespacesAndNewlines)
        try node.mineBlocks(1, to: "51")
        let ended = try command.outcome()
        #expect(ended.status == 2 && ended.output.isEmpty, "\(ended.errors)")
        #expect(ended.errors.contains("transaction \(other) is in block"), "\(ended.errors)")
    }

    /// What another command does, while no command waits any more, and whether a block comes after it.
    struct Meanwhile: CustomTestStringConvertible {
        let command: String
        let isMined: Bool
        let key: String?

        static let all = ["speed-up", "cancel"].flatMap { command in
            [true, false].flatMap { isMined in
                [nil, "invoice-17"].map { Meanwhile(command: command, isMined: isMined, key: $0) }
            }
        }
        var once: [String] { key.map { ["--once", $0] } ?? [] }
        var testDescription: String {
            "\(command), \(isMined ? "mined" : "waiting"), \(key == nil ? "without a key" : "with a key")"
        }
    }

    @Test(
        "on Ethereum, whose command was killed: the same order tells the speed-up, and never pays what was cancelled unasked",
        arguments: Meanwhile.all)
    func killedOnEthereum(_ meanwhile: Meanwhile) throws {
        let bench = try EthereumBench()
        let order = ["--to", EthereumBench.bob, "--amount", "0.1eth"] + meanwhile.once
        let (command, first) = try bench.waiting("0.1eth", more: meanwhile.once)
        try command.kill()
        let other = try bench.outcome(bench.replace(meanwhile.command, first))
        if meanwhile.isMined { try bench.mine() }
        let again = try bench.run(["send", bench.wallet.name] + order)
        switch (meanwhile.command, meanwhile.key, meanwhile.isMined) {
        case ("speed-up", _, let isMined):
            let told = try bench.outcome(again)
            #expect(told.hash == other.hash && told.earlier && told.state == (isMined ? "mined" : "sent"))
        case (_, nil, _): try bench.expect(again, 2, "needs_confirmation", "the same payment")
        case (_, _, true): try bench.expect(again, 2, "payment_cancelled", other.hash)
        case (_, _, false): try bench.expect(again, 2, "cancellation_unclear", other.hash)
        }
        try bench.mine()
        let paid = meanwhile.command == "speed-up" ? EthereumBench.ether("0.1") : 0
        #expect(try bench.balance(of: EthereumBench.bob) == paid)
    }

    @Test(
        "on Bitcoin, whose command was killed: the same order tells the speed-up, and never pays what was cancelled unasked",
        arguments: Meanwhile.all)
    func killedOnBitcoin(_ meanwhile: Meanwhile) throws {
        let node = try Node()
        let wallet = try TestWallet()
        try wallet.fund(from: node)
        let options = try wallet.options(node)
        let (command, first) = try wallet.waiting("1btc", options + meanwhile.once)
        try command.kill()
        let other = try wallet.fueki.json(wallet.bump(meanwhile.command, first, options), as: SentBitcoin.self)
        if meanwhile.isMined { try node.mineBlocks(1, to: "51") }
        let again = try wallet.fueki.run(wallet.order("1btc", options, meanwhile.once + ["--json"]))
        var paid: [Int64] = []
        switch (meanwhile.command, meanwhile.key, meanwhile.isMined) {
        case ("speed-up", _, let isMined):
            let told = try JSONDecoder().decode(SentBitcoin.self, from: Data(again.output.utf8))
            #expect(told.txid == other.txid && told.earlier && told.state == (isMined ? "mined" : "sent"))
            paid = [100_000_000]
        case (_, nil, true):
            #expect(again.status == 2 && again.errors.contains("needs_confirmation"), "\(again.errors)")
        case (_, nil, false):
            // It spends what the cancellation pays back: of the payment and this one, one can be mined.
            #expect(again.isSuccess, "\(again.errors)")
            paid = [100_000_000]
        case (_, _, true): #expect(again.status == 2 && again.errors.contains("payment_cancelled"), "\(again.errors)")
        case (_, _, false):
            #expect(again.status == 2 && again.errors.contains("cancellation_unclear"), "\(again.errors)")
        }
        try node.mineBlocks(1, to: "51")
        #expect(try node.amounts(paidTo: Bob.scriptPubKey) == paid)
    }
}

extension TestWallet {
    /// Gives the wallet three coins.
    borrowing func fund(from node: borrowing Node) throws {
        _ = try node.fund(scriptPubKeys: (0..<3).map { try address($0).script_pubkey })
    }

    /// Starts `fueki send --wait`, and lets it wait for a block. The identifier is that of its transaction.
    borrowing func waiting(_ amount: String, _ more: [String]) throws -> (command: RunningProgram, id: String) {
        let command = try fueki.start(order(amount, more, ["--wait"]))
        // The command closes the book for the wait.
        while true {
            if let sent = try? history().last, sent.state == "sent", let id = sent.id { return (command, id) }
            if command.hasEnded() { throw Program.Failure.failed(program: "fueki", status: 0, errors: "no wait") }
        }
    }
}
