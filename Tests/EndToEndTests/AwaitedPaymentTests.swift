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
        #expect(ended.warnings == ["\(faster.hash) was mined in place of \(first), and pays the same"])
        #expect(try bench.history().map(\.state) == ["sent", "mined"])
        let further = try bench.sent("0.1eth")
        #expect(!further.earlier && further.nonce == 1)
    }

    @Test("on Ethereum, mined between two polls: it is reported as the same payment")
    func minedMeanwhile() throws {
        let bench = try EthereumBench()
        try bench.node.tell("evm_automine", "0")
        let late = try bench.liar([
            "eth_getTransactionReceipt": .firstResult("null"), "eth_getTransactionByHash": .firstResult("null"),
        ])
        let sent = try bench.outcome(bench.send("0.1eth", "--wait", node: late.url))
        #expect(sent.state == "mined" && sent.replaced == nil && sent.warnings.isEmpty)
    }

    @Test("on Ethereum, cancelled: the command reports it and fails, and the same order asks a question")
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

    @Test("on Bitcoin, cancelled: the command reports it and fails, and the same order asks a question")
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

    @Test("on Bitcoin, spending another payment's coins has to be accepted by name, and is not reported as it")
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

    // A command that was killed while it waited, and whose payment another command has replaced: every combination of speed-up and
    // cancellation, block and none, key and none is in PaymentsTests/ReplacedOrderTests. Here a real process is killed, and the
    // command says what the library finds: a speed-up and a cancellation on each chain.

    @Test("on Ethereum, whose command was killed: the same order tells the speed-up once a block has it")
    func spedUpOnEthereum() throws {
        let bench = try EthereumBench()
        let (command, first) = try bench.waiting("0.1eth")
        try command.kill()
        let other = try bench.outcome(bench.replace("speed-up", first))
        try bench.mine()
        let told = try bench.outcome(
            bench.run(["send", bench.wallet.name, "--to", EthereumBench.bob, "--amount", "0.1eth"]))
        #expect(told.hash == other.hash && told.earlier && told.state == "mined")
        #expect(try bench.balance(of: EthereumBench.bob) == EthereumBench.ether("0.1"))
    }

    @Test("on Ethereum, whose command was killed: while a cancellation waits, its payment key pays nothing")
    func cancellingOnEthereum() throws {
        let bench = try EthereumBench()
        let once = ["--once", "invoice-17"]
        let (command, first) = try bench.waiting("0.1eth", more: once)
        try command.kill()
        let other = try bench.outcome(bench.replace("cancel", first))
        let again = try bench.run(
            ["send", bench.wallet.name, "--to", EthereumBench.bob, "--amount", "0.1eth"] + once)
        try bench.expect(again, 2, "cancellation_unclear", other.hash)
        try bench.mine()
        #expect(try bench.balance(of: EthereumBench.bob) == 0)
    }

    @Test("on Bitcoin, whose command was killed: the same order tells the speed-up while it waits")
    func spedUpOnBitcoin() throws {
        let node = try Node()
        let wallet = try TestWallet()
        try wallet.fund(from: node)
        let options = try wallet.options(node)
        let (command, first) = try wallet.waiting("1btc", options)
        try command.kill()
        let other = try wallet.fueki.json(wallet.bump("speed-up", first, options), as: SentBitcoin.self)
        let told = try wallet.fueki.json(wallet.order("1btc", options), as: SentBitcoin.self)
        #expect(told.txid == other.txid && told.earlier && told.state == "sent")
        try node.mineBlocks(1, to: "51")
        #expect(try node.amounts(paidTo: Bob.scriptPubKey) == [100_000_000])
    }

    @Test("on Bitcoin, whose command was killed: once a cancellation is mined, its payment key pays nothing")
    func cancelledKeyOnBitcoin() throws {
        let node = try Node()
        let wallet = try TestWallet()
        try wallet.fund(from: node)
        let options = try wallet.options(node)
        let once = ["--once", "invoice-17"]
        let (command, first) = try wallet.waiting("1btc", options + once)
        try command.kill()
        _ = try wallet.fueki.json(wallet.bump("cancel", first, options), as: SentBitcoin.self)
        try node.mineBlocks(1, to: "51")
        let again = try wallet.fueki.run(wallet.order("1btc", options, once + ["--json"]))
        #expect(again.status == 2 && again.errors.contains("payment_cancelled"), "\(again.errors)")
        try node.mineBlocks(1, to: "51")
        #expect(try node.amounts(paidTo: Bob.scriptPubKey) == [])
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
        // The command closes the book during the wait.
        var id: String?
        try Patience.block(for: "a payment that is noted as sent") {
            if let sent = try? history().last, sent.state == "sent" { id = sent.id }
            // Each look at the history is a program that takes the processor from the one that is waited for.
            if id == nil, command.ends(withinMilliseconds: 200) {
                throw Program.Failure.failed(program: "fueki", status: 0, errors: "no wait")
            }
            return id != nil
        }
        return (command, try #require(id))
    }
}
