internal import Foundation
import TestSupport
import Testing

/// A payment that a policy delays: it is approved, signed, and arrives.
@Suite(
    "A payment on Ethereum that waits for an approval",
    .enabled(if: Peer.python.isExpected, Comment(rawValue: Peer.python.absence)))
struct EthereumPendingTests {
    private struct Proposal: Decodable { let digest: String }
    private struct Exported: Decodable { let digest: String }
    private struct Signed: Decodable {
        let hint: String?
        let warnings: [String]
    }

    private let file = ["--passphrase-file", "passphrase"]

    private func proposal(_ bench: borrowing EthereumBench) throws -> String {
        let list = try bench.wallet.fueki.json(["pending", "list", bench.wallet.name] + file, as: [Proposal].self)
        return try #require(list.first).digest
    }

    @Test("an order, approved on another machine, signed and sent by the same order, and mined, pays once")
    func approved() throws {
        let bench = try EthereumBench()
        try bench.wallet.fueki.folder.write("anna's own passphrase\n", to: "hers")
        let key = try bench.wallet.fueki.run("policy", "key", "-o", "anna.vault", "--passphrase-file", "hers")
        let anna = key.output.trimmingCharacters(in: .whitespacesAndNewlines)
        try bench.setPolicy(
            """
            {"version": 1, "approvers": {"anna": "\(anna)"}, "rules": [
              {"name": "large", "if": {"effect": "payment"}, "then": {"approvals": 1, "of": ["anna"]}}
            ]}
            """)
        try bench.expect(try bench.send("0.1eth"), 2, "needs_approval")
        let id = try proposal(bench)
        let exported = try bench.wallet.fueki.json(
            ["pending", "export", bench.wallet.name, id, "-o", "proposal.json"] + file, as: Exported.self)
        let approved = try bench.wallet.fueki.run(
            "policy", "approve", "proposal.json", "--key", "anna.vault", "-o", "approval.json", "--passphrase-file",
            "hers", "--expect", exported.digest)
        #expect(approved.isSuccess, "\(approved.errors)")
        let sign = ["pending", "sign", bench.wallet.name, id, "-o", "signed", "--yes"] + file
        #expect(try bench.wallet.fueki.run(sign).status == 2)
        let signed = try bench.wallet.fueki.json(sign + ["--approval", "approval.json"], as: Signed.self)
        #expect(signed.warnings.isEmpty && signed.hint?.contains("the same 'fueki send'") == true)
        let raw = try bench.wallet.fueki.folder.read("signed").trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(try bench.asked("eth_sendRawTransaction") == 0)

        // Another order follows, and sends nothing unasked.
        try bench.expect(
            try bench.send("0.2eth", to: EthereumBench.carol), 2, "unsent_transaction", "signed before, and never sent")
        #expect(try bench.asked("eth_sendRawTransaction") == 0)

        // The same order sends the signed transaction, without another question.
        let sent = try bench.sent("0.1eth")
        #expect(sent.earlier && sent.nonce == 0 && sent.transaction == raw)
        try bench.mine()
        #expect(try bench.receipt(sent.hash).isSuccess)
        #expect(try bench.balance(of: EthereumBench.bob) == EthereumBench.ether("0.1"))
        #expect(try bench.history(asking: true).map(\.state) == ["mined"])
    }

    @Test("a waited proposal is not signed unasked with a nonce that is used, or that is not the next")
    func numbers() throws {
        let bench = try EthereumBench()
        try bench.setPolicy(
            """
            {"version": 1, "rules": [
              {"name": "slowly", "if": {"effect": "payment", "to": ["\(EthereumBench.carol)"]}, "then": {"delay": "1s"}},
              {"name": "all", "then": "allow"}
            ]}
            """)
        try bench.expect(try bench.send("0.1eth", to: EthereumBench.carol), 2, "not_yet")
        let first = try proposal(bench)
        #expect(try bench.sent("0.2eth").nonce == 0)
        try bench.wallet.waitUntilSignable()
        let sign = ["pending", "sign", bench.wallet.name]
        let more = ["-o", "signed", "--yes", "--json"] + file
        let taken = try bench.wallet.fueki.run(sign + [first] + more)
        try bench.expect(taken, 2, "nonce_used", "its nonce, 0, is used by transaction 0x")
        let withdrawn = try bench.wallet.fueki.run(["pending", "withdraw", bench.wallet.name, first] + file)
        #expect(withdrawn.isSuccess)

        let liar = try bench.liar(["eth_getTransactionCount": .result("\"0x5\"")])
        try bench.expect(try bench.send("0.1eth", to: EthereumBench.carol, node: liar.url), 2, "not_yet")
        try bench.wallet.waitUntilSignable()
        let early = try bench.wallet.fueki.run(sign + [try proposal(bench)] + more)
        try bench.expect(early, 2, "needs_confirmation", "4 payments elsewhere")
    }
}
