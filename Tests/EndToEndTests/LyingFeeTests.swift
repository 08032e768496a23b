import Foundation
import TestSupport
import Testing

/// A node that suggests a fee rate far above the need, to commands that spend the whole balance.
@Suite(
    "Sweeps and consolidations whose fee is a lie",
    .enabled(if: Peer.node.isExpected, Comment(rawValue: Peer.node.absence)))
struct LyingFeeTests {
    /// 1 BTC for 1,000 virtual bytes. No more than 500 sat/vB are ever suggested, so three inputs and one output cost
    /// more than 0.001 BTC, and less than the ceiling of 0.005 BTC.
    private static let lie = #"{"feerate":1.0,"blocks":2}"#
    private static let words = "legal winner thank year wave sausage worth useful legal winner thank yellow"

    private func waiting(_ node: borrowing Node) throws -> Int {
        try node.ask("getrawmempool").matches(of: /[0-9a-f]{64}/).count
    }

    @Test("a sweep is refused for its fee, even with --yes, until the finding is accepted by name")
    func sweep() throws {
        let node = try Node()
        let wallet = try TestWallet()
        // The mnemonic as a wallet, which tells where its coins are.
        let words = try TestWallet(importing: Self.words, account: 0)
        _ = try node.fund(scriptPubKeys: (0..<4).map { try words.address($0).script_pubkey })
        try wallet.fueki.folder.write(Self.words + "\n", to: "words")
        let command = [
            "wallet", "sweep", "--passphrase-file", "passphrase", "--mnemonic-file", "words", "--into", wallet.name,
            "--addresses", "4", "--json",
        ]
        func run(_ more: [String] = ["--yes"]) throws -> Program.Outcome {
            let liar = try LyingNode.before(node.rpc().port, ["estimatesmartfee": .result(Self.lie)])
            return try wallet.fueki.run(command + wallet.options(liar, before: node) + more)
        }
        let high = try run(["--yes", "--max-fee", "50000sat"])
        #expect(high.status == 2 && high.errors.contains("\"fee_above_ceiling\""), "\(high.errors)")
        let refused = try run()
        #expect(refused.status == 2 && refused.output.isEmpty, "\(refused.errors)")
        #expect(refused.errors.contains("large_fee"), "\(refused.errors)")
        // The name of another finding accepts nothing.
        #expect(try run(["--yes", "--accept", "first_payment"]).status == 2)
        #expect(try waiting(node) == 0)
        let finding = try #require(refused.errors.firstMatch(of: /--accept ([a-z_,]+)/)?.1)
        let meant = try run(["--yes", "--accept", "\(finding)"])
        #expect(meant.isSuccess, "\(meant.errors)")
        #expect(try waiting(node) == 1)
    }

    @Test("a person who sweeps sees the finding, and moves nothing by answering no")
    func asked() throws {
        let node = try Node()
        let wallet = try TestWallet()
        let words = try TestWallet(importing: Self.words, account: 0)
        _ = try node.fund(scriptPubKeys: (0..<4).map { try words.address($0).script_pubkey })
        try wallet.fueki.folder.write(Self.words + "\n", to: "words")
        let liar = try LyingNode.before(node.rpc().port, ["estimatesmartfee": .result(Self.lie)])
        let session = try wallet.fueki.converse(
            [
                "wallet", "sweep", "--passphrase-file", "passphrase", "--mnemonic-file", "words", "--into",
                wallet.name, "--addresses", "4",
            ] + wallet.options(liar, before: node), answers: [("Move it?", "n")])
        #expect(session.exit == 2 && session.screen.contains("warning: the fee may be more than"), "\(session.screen)")
        #expect(try waiting(node) == 0)
    }

    @Test("a consolidation is refused for its fee, even with --yes, and neither signed nor sent")
    func consolidation() throws {
        let node = try Node()
        let wallet = try TestWallet()
        _ = try node.fund(scriptPubKeys: (0..<3).map { try wallet.address($0).script_pubkey })
        func run(_ more: [String] = []) throws -> Program.Outcome {
            let liar = try LyingNode.before(node.rpc().port, ["estimatesmartfee": .result(Self.lie)])
            return try wallet.fueki.run(
                ["coins", "consolidate", wallet.name, "--most", "3", "--json"] + TestWallet.unasked
                    + wallet.options(liar, before: node) + more)
        }
        let high = try run(["--max-fee", "50000sat"])
        #expect(high.status == 2 && high.errors.contains("\"fee_above_ceiling\""), "\(high.errors)")
        let refused = try run()
        #expect(refused.status == 2 && refused.output.isEmpty, "\(refused.errors)")
        #expect(refused.errors.contains("large_fee"), "\(refused.errors)")
        #expect(try run(["--accept", "first_payment"]).status == 2)
        #expect(try wallet.history().isEmpty)
        #expect(try waiting(node) == 0)
    }
}
