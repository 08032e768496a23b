import Foundation
import TestSupport
import Testing

/// A paying command is killed at each of its writes, and the same order is repeated: it is paid once. In
/// PaymentsTests/ResumeTests each cut is tried with a block in between and without; here a signal ends a real process.
@Suite(
    "A payment whose command was killed",
    .enabled(if: Strace.isUsable || Strace.isRequired, Comment(rawValue: Strace.absence)), .serialized)
struct KilledPaymentTests {
    /// The files that the book writes: each change of one is a step.
    private static func written(by wallet: borrowing TestWallet) -> [String] {
        let folder = "\(wallet.folder)/home/wallets/\(wallet.name)"
        return ["\(folder)/book.vault"]
    }

    @Test(
        "on Bitcoin, killed at any step of a payment with --wait and ordered again after a block: paid once, and told",
        .enabled(if: Peer.node.isExpected, Comment(rawValue: Peer.node.absence)))
    func bitcoin() throws {
        let node = try Node()
        let wallet = try TestWallet()
        _ = try node.fund(scriptPubKeys: (0..<12).map { try wallet.address($0).script_pubkey })
        let options = try wallet.options(node)
        let mining = try LyingNode.before(node.rpc().port, ["getmempoolentry": .mines])
        let files = Self.written(by: wallet)
        // The first payment creates the book, with steps that the others do not have.
        _ = try wallet.fueki.json(wallet.order("99999999sat", options), as: SentBitcoin.self)
        var amounts: [Int64] = [99_999_999, 100_000_000]
        let calm = try Strace.run(
            wallet.fueki, wallet.order("100000000sat", try wallet.options(mining, before: node), ["--wait", "--json"]),
            on: files)
        #expect(calm.outcome.isSuccess, "\(calm.outcome.errors)")
        try node.mineBlocks(1, to: "51")
        let steps = CrashPoints(trace: calm.calls).numbers(of: "renameat")
        var killings = 0
        for step in steps {
            let satoshis = Int64(100_000_000 + step)
            let order = wallet.order("\(satoshis)sat", try wallet.options(mining, before: node), ["--wait", "--json"])
            let killed = try Strace.run(
                wallet.fueki, order, on: files, injecting: "renameat:signal=KILL:when=\(step)")
            amounts.append(satoshis)
            guard killed.wasTampered else {
                #expect(killed.outcome.isSuccess, "\(killed.outcome.errors)")
                continue
            }
            killings += 1
            try node.mineBlocks(1, to: "51")
            let again = try wallet.fueki.run(wallet.order("\(satoshis)sat", options, ["--json"]))
            #expect(again.isSuccess, "step \(step): \(again.errors)")
        }
        #expect(killings > 0, "none of \(steps)")
        try node.mineBlocks(1, to: "51")
        #expect(try node.amounts(paidTo: Bob.scriptPubKey).sorted() == amounts)
    }

    @Test(
        "on Ethereum, killed at any step and ordered again while it waits: paid once, and told",
        .enabled(if: Peer.python.isExpected, Comment(rawValue: Peer.python.absence)))
    func ethereum() throws {
        let bench = try EthereumBench()
        let files = Self.written(by: bench.wallet)
        func order(_ amount: String) -> [String] {
            [
                "send", bench.wallet.name, "--to", EthereumBench.bob, "--amount", amount, "--chain",
                EthereumBench.chain, "--node", bench.node.url, "--passphrase-file", "passphrase", "--yes", "--json",
            ]
        }
        // The first payment creates the book, with steps that the others do not have.
        let first = try bench.wallet.fueki.run(order("0.0099eth"))
        #expect(first.isSuccess, "\(first.errors)")
        let calm = try Strace.run(bench.wallet.fueki, order("0.0100eth"), on: files)
        #expect(calm.outcome.isSuccess, "\(calm.outcome.errors)")
        let steps = CrashPoints(trace: calm.calls).numbers(of: "renameat")
        var killings = 0
        var total = EthereumBench.ether("0.0199")
        for step in steps {
            let order = order("0.0\(100 + step)eth")
            let killed = try Strace.run(
                bench.wallet.fueki, order, on: files, injecting: "renameat:signal=KILL:when=\(step)")
            total += EthereumBench.ether("0.0\(100 + step)")
            guard killed.wasTampered else {
                #expect(killed.outcome.isSuccess, "\(killed.outcome.errors)")
                continue
            }
            killings += 1
            let again = try bench.wallet.fueki.run(order)
            #expect(again.isSuccess, "step \(step): \(again.errors)")
        }
        #expect(killings > 0, "none of \(steps)")
        try bench.mine()
        #expect(try bench.balance(of: EthereumBench.bob) == total)
    }

    @Test(
        "on Bitcoin, killed while it waits, and mined: the same order tells that, pays nothing, and a third one is another payment",
        .enabled(if: Peer.node.isExpected, Comment(rawValue: Peer.node.absence)))
    func waiting() throws {
        let node = try Node()
        let wallet = try TestWallet()
        _ = try node.fund(scriptPubKeys: (0..<3).map { try wallet.address($0).script_pubkey })
        let options = try wallet.options(node)
        let order = (wallet.order("1.25btc", options) + ["--wait"]).map { "'\($0)'" }.joined(separator: " ")
        _ = try Program.run(
            "/bin/sh",
            [
                "-c",
                """
                '\(FuekiCommand.binaries)/fueki' \(order) >sent 2>told & fueki=$!
                while ! grep -q 'waiting until' told && kill -0 $fueki; do sleep 0.1; done
                kill -9 $fueki; wait $fueki; true
                """,
            ], environment: ["FUEKI_HOME": "\(wallet.folder)/home"], in: wallet.folder)
        #expect(try wallet.fueki.folder.read("sent").isEmpty)
        try node.mineBlocks(1, to: "51")
        let told = try wallet.fueki.json(wallet.order("1.25btc", options, ["--wait"]), as: SentBitcoin.self)
        #expect(told.earlier && told.state == "mined" && told.height != nil)
        #expect(try node.amounts(paidTo: Bob.scriptPubKey) == [125_000_000])
        let further = try wallet.fueki.json(wallet.order("1.25btc", options), as: SentBitcoin.self)
        #expect(!further.earlier && further.txid != told.txid)
    }
}

extension Node {
    /// The confirmed balance in satoshi.
    borrowing func amounts(paidTo script: String) throws -> [Int64] {
        struct Scan: Decodable {
            struct Output: Decodable { let amount: Decimal }
            let unspents: [Output]
        }
        let text = try ask("scantxoutset", "start", #"["raw(\#(script))"]"#)
        return try JSONDecoder().decode(Scan.self, from: Data(text.utf8)).unspents.map {
            NSDecimalNumber(decimal: $0.amount * 100_000_000).int64Value
        }
    }
}
