internal import Foundation
import TestSupport
import Testing

/// A payment whose coins another transaction has spent, on a real node.
@Suite("A payment that is given up", .timeLimit(.minutes(20)))
struct GivenUpPaymentTests {
    private struct Resumed: Decodable {
        struct Payment: Decodable { let id: String }
        let payments: [Payment]
    }

    @Test(
        "is listed until --give-up names it, and its order still answers with it",
        .enabled(if: Peer.node.isExpected, Comment(rawValue: Peer.node.absence)))
    func givenUp() throws {
        let node = try Node()
        let wallet = try TestWallet()
        _ = try node.fund(scriptPubKeys: [try wallet.address().script_pubkey])
        let options = try wallet.options(node)
        let files = FileManager.default
        let (home, older, newer) = ("\(wallet.folder)/home", "\(wallet.folder)/older", "\(wallet.folder)/newer")
        try files.copyItem(atPath: home, toPath: older)
        let relay = try LyingNode.before(node.rpc().port, ["sendrawtransaction": .dead])
        let unsent = try wallet.fueki.run(wallet.order("1btc", try wallet.options(relay, before: node)))
        #expect(unsent.status != 0)
        withExtendedLifetime(relay) {}

        // An older copy of this wallet does not know the payment, and spends its coin.
        try files.moveItem(atPath: home, toPath: newer)
        try files.moveItem(atPath: older, toPath: home)
        let other = try wallet.fueki.json(wallet.order("2btc", options), as: SentBitcoin.self)
        try node.mineBlocks(1, to: "51")
        try files.removeItem(atPath: home)
        try files.moveItem(atPath: newer, toPath: home)

        let resume = ["resume", wallet.name, "--passphrase-file", "passphrase"] + options
        let listed = try wallet.fueki.run(resume + ["--json"])
        #expect(listed.status != 0 && listed.errors.contains(#""code" : "spent_by_unknown""#), "\(listed.errors)")
        let lost = try #require(
            try JSONDecoder().decode(Resumed.self, from: Data(listed.output.utf8)).payments.first?.id)
        #expect(lost != other.txid)
        let wrong = try wallet.fueki.run(resume + ["--give-up", other.txid, "--json"])
        #expect(wrong.status != 0 && wrong.errors.contains("not_given_up"), "\(wrong.errors)")
        #expect(try wallet.fueki.json(resume + ["--give-up", lost], as: Resumed.self).payments.map(\.id) == [lost])
        #expect(try wallet.fueki.json(resume, as: Resumed.self).payments.isEmpty)
        #expect(try node.amounts(paidTo: Bob.scriptPubKey) == [200_000_000])
    }
}
