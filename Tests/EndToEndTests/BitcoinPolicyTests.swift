internal import Foundation
import TestSupport
import Testing

@Suite(
    "Sending bitcoin under a policy, to people with a name",
    .enabled(if: Peer.node.isExpected, Comment(rawValue: Peer.node.absence)))
struct BitcoinPolicyTests {
    @Test(
        "a payment that has to wait is the same one when it is ordered again, and is sent when its time has come; what is denied is not"
    )
    func delay() throws {
        let node = try Node()
        let wallet = try TestWallet()
        let options = try wallet.options(node)
        _ = try node.fund(scriptPubKey: wallet.address().script_pubkey)
        try wallet.fueki.folder.write(
            """
            {"version":1,"rules":[
              {"name":"small","if":{"effect":"payment","at_most":"2 BTC@bitcoin:regtest"},"then":{"delay":"4s"}}
            ]}
            """, to: "policy.json")
        let set = try wallet.fueki.run(["policy", "set", wallet.name, "policy.json"] + TestWallet.unasked)
        #expect(set.status == 0, "\(set.errors)")

        let denied = try wallet.fueki.run(wallet.order("3btc", options))
        #expect(denied.status == 2 && denied.errors.contains("no rule"), "\(denied.errors)")
        let early = try wallet.fueki.run(wallet.order("1btc", options, ["--json"]))
        #expect(early.status == 2 && early.errors.contains("not_yet"), "\(early.errors)")
        // A present plan would differ: there is one block more.
        try node.mineBlocks(1, to: "51")
        var sent = try wallet.fueki.run(wallet.order("1btc", options))
        #expect(try wallet.history().isEmpty == (sent.status == 2))
        if sent.status == 2 {
            try wallet.waitUntilSignable()
            sent = try wallet.fueki.run(wallet.order("1btc", options))
        }
        #expect(sent.status == 0, "\(sent.errors)")
        #expect(sent.errors.contains("waits in the wallet's book"), "\(sent.errors)")
        try node.mineBlocks(1, to: "51")
        #expect(try wallet.history(options).map(\.state) == ["mined"])
    }

    @Test("a contact is paid by name, and the history shows the name; a contact on another chain is not paid")
    func contacts() throws {
        let node = try Node()
        let wallet = try TestWallet()
        let options = try wallet.options(node)
        _ = try node.fund(scriptPubKey: wallet.address().script_pubkey)
        let file = ["--passphrase-file", "passphrase"]
        for (name, address) in [("bob", Bob.address), ("eve", "0x52908400098527886E0F7030069857D2E4169EE7")] {
            let added = try wallet.fueki.run(["contact", "add", wallet.name, name, address] + file)
            #expect(added.status == 0, "\(added.errors)")
        }
        let sent = try wallet.fueki.json(
            ["send", wallet.name, "--to", "bob", "--amount", "0.5btc"] + options + TestWallet.unasked,
            as: SentBitcoin.self)
        #expect(try node.waiting(sent.txid).paid.contains(.init(value: 50_000_000, scriptPubKey: Bob.scriptPubKey)))
        let text = try wallet.fueki.run(["history", wallet.name] + file).output
        #expect(text.contains("payment 0.50000000 BTC to \(Bob.address) (bob)"), "\(text)")
        let wrong = try wallet.fueki.run(
            ["send", wallet.name, "--to", "eve", "--amount", "0.5btc"] + options + TestWallet.unasked)
        #expect(wrong.status == 65 && wrong.errors.contains("'eve' has no address of regtest"), "\(wrong.errors)")
    }
}
