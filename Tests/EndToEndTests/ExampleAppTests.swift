internal import Foundation
import TestSupport
import Testing

/// Examples/Pay, an app outside the package, which pays with the libraries alone. `scripts/example` builds it, and sets
/// `$FUEKI_EXAMPLE`.
@Suite(
    "An app outside the package",
    .enabled(if: ExampleApp.path != nil, "built by scripts/example"),
    .enabled(if: Peer.node.isExpected, Comment(rawValue: Peer.node.absence)),
    .enabled(if: Peer.python.isExpected, Comment(rawValue: Peer.python.absence)))
struct ExampleAppTests {
    @Test("the app pays on Bitcoin after a confirmation, once for each invoice, and a node mines the payment")
    func bitcoin() throws {
        let node = try Node()
        let wallet = try TestWallet()
        _ = try node.fund(scriptPubKey: wallet.address().script_pubkey)
        let (port, cookieFile) = try node.rpc()
        let cookie = try String(contentsOfFile: cookieFile, encoding: .utf8)
        let order = ["http://\(cookie)@127.0.0.1:\(port)", "bitcoin", Bob.address, "150000"]

        let declined = try ExampleApp.run(wallet, order + ["invoice-16"], answering: "n")
        #expect(declined.isSuccess && declined.output.contains("Sign this?"), "\(declined.errors)")
        // The person sees the amount, the payee, the chain, and the fee.
        #expect(declined.output.contains("pay 0.0015 BTC to \(Bob.address) on bitcoin:regtest"), "\(declined.output)")
        #expect(declined.output.contains("fee: at most 0.0000"), "\(declined.output)")
        let paid = try ExampleApp.run(wallet, order + ["invoice-17"], answering: "y")
        #expect(paid.isSuccess, "\(paid.errors)")
        let id = try #require(paid.output.split(separator: "\n").last.map(String.init))
        #expect(try node.waiting(id).paid.contains { $0.value == 150_000 })
        try node.mineBlocks(1, to: "51")
        // The same invoice again is reported, without a question.
        let again = try ExampleApp.run(wallet, order + ["invoice-17"], answering: "")
        #expect(again.isSuccess && again.output == "\(id)\n", "\(again.output)\(again.errors)")
    }

    @Test("the app pays on an EVM after a confirmation, once for each invoice, and the payee receives it")
    func ethereum() throws {
        let bench = try EthereumBench()
        let order = [bench.node.url, "31337", EthereumBench.bob, "0.1eth"]
        let paid = try ExampleApp.run(bench.wallet, order + ["invoice-17"], answering: "y")
        #expect(paid.isSuccess, "\(paid.errors)")
        let hash = try #require(paid.output.split(separator: "\n").last.map(String.init))
        try bench.mine()
        #expect(try bench.receipt(hash).isSuccess)
        #expect(try bench.balance(of: EthereumBench.bob) == EthereumBench.ether("0.1"))
        let again = try ExampleApp.run(bench.wallet, order + ["invoice-17"], answering: "")
        #expect(again.isSuccess && again.output == "\(hash)\n", "\(again.output)\(again.errors)")
    }

    @Test("the guide to embedding shows the code that was run")
    func guide() throws {
        let guide = try String(contentsOfFile: "\(Repository.path)/docs/guides/embedding.md", encoding: .utf8)
        let source = try String(
            contentsOfFile: "\(Repository.path)/Examples/Pay/Sources/Pay/PayBitcoin.swift", encoding: .utf8)
        let body = try #require(source.split(separator: "async throws {\n", maxSplits: 1).last?.dropLast(3))
        let lines = body.split(separator: "\n").map { $0.dropFirst(4) }.joined(separator: "\n")
        #expect(guide.contains(lines), "docs/guides/embedding.md does not quote Examples/Pay")
    }
}

enum ExampleApp {
    static let path = ProcessInfo.processInfo.environment["FUEKI_EXAMPLE"]

    static func run(
        _ wallet: borrowing TestWallet, _ order: [String], answering answer: String
    ) throws -> Program.Outcome {
        try Program.run(
            path ?? "", ["\(wallet.folder)/home", wallet.name, "\(wallet.folder)/passphrase"] + order,
            input: answer + "\n")
    }
}
