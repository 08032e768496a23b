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
        let order = ["http://127.0.0.1:\(port)", cookieFile, Bob.address, "150000"]

        let declined = try ExampleApp.run("bitcoin", wallet, order + ["invoice-16"], answering: "n")
        #expect(declined.isSuccess && declined.output.contains("Sign this?"), "\(declined.errors)")
        // The person sees the amount, the payee, the chain, and the fee.
        #expect(declined.output.contains("pay 0.0015 BTC to \(Bob.address) on bitcoin:regtest"), "\(declined.output)")
        #expect(declined.output.contains("fee: at most 0.0000"), "\(declined.output)")
        let paid = try ExampleApp.run("bitcoin", wallet, order + ["invoice-17"], answering: "y")
        #expect(paid.isSuccess, "\(paid.errors)")
        let id = try #require(paid.output.split(separator: "\n").last.map(String.init))
        #expect(try node.waiting(id).paid.contains { $0.value == 150_000 })
        try node.mineBlocks(1, to: "51")
        // The same invoice again is reported, without a question.
        let again = try ExampleApp.run("bitcoin", wallet, order + ["invoice-17"], answering: "")
        #expect(again.isSuccess && again.output == "\(id)\n", "\(again.output)\(again.errors)")
    }

    @Test("the app pays on an EVM after a confirmation, once for each invoice, and the payee receives it")
    func ethereum() throws {
        let bench = try EthereumBench()
        let order = [bench.node.url, "31337", EthereumBench.bob, "0.1eth"]
        let paid = try ExampleApp.run("ethereum", bench.wallet, order + ["invoice-17"], answering: "y")
        #expect(paid.isSuccess, "\(paid.errors)")
        let hash = try #require(paid.output.split(separator: "\n").last.map(String.init))
        try bench.mine()
        #expect(try bench.receipt(hash).isSuccess)
        #expect(try bench.balance(of: EthereumBench.bob) == EthereumBench.ether("0.1"))
        let again = try ExampleApp.run("ethereum", bench.wallet, order + ["invoice-17"], answering: "")
        #expect(again.isSuccess && again.output == "\(hash)\n", "\(again.output)\(again.errors)")
    }

    @Test("the app reports an error in words, and ends with 1")
    func errors() throws {
        let wallet = try TestWallet()
        let order = ["http://127.0.0.1:1", "\(wallet.folder)/no-cookie", Bob.address, "150000", "invoice-17"]
        let cookieFile = "\(wallet.folder)/cookie"
        try Data("__cookie__:00".utf8).write(to: URL(fileURLWithPath: cookieFile))
        for (chain, order, words) in [
            ("bitcoin", order, "pay: the node: the cookie file does not exist"),
            ("bitcoin", [order[0], cookieFile] + Array(order[2...]), "pay: the node: "),
            ("bitcoin", Array(order.dropLast()), "pay: these are the arguments:"),
            ("bitcoin", Array(order[...2]) + ["many", "invoice-17"], "pay: many is not a number"),
            ("ethereum", order, "no-cookie is not a number"),
        ] {
            let outcome = try ExampleApp.run(chain, wallet, order, answering: "")
            #expect(outcome.status == 1 && outcome.errors.contains(words), "\(outcome.status) \(outcome.errors)")
            #expect(!outcome.errors.contains("Fatal error"))
        }
    }

    @Test("the guide to embedding shows the code that was run, with all that it uses")
    func guide() throws {
        let guide = try String(contentsOfFile: "\(Repository.path)/docs/guides/embedding.md", encoding: .utf8)
        for file in ["PayBitcoin", "Person"] {
            let source = try String(
                contentsOfFile: "\(Repository.path)/Examples/Pay/Sources/Pay/\(file).swift", encoding: .utf8)
            #expect(guide.contains("```swift\n\(source)```\n"), "docs/guides/embedding.md does not quote \(file).swift")
        }
    }
}

enum ExampleApp {
    static let path = ProcessInfo.processInfo.environment["FUEKI_EXAMPLE"]

    static func run(
        _ chain: String, _ wallet: borrowing TestWallet, _ order: [String], answering answer: String
    ) throws -> Program.Outcome {
        try Program.run(
            path ?? "", [chain, "\(wallet.folder)/home", wallet.name, "\(wallet.folder)/passphrase"] + order,
            input: answer + "\n")
    }
}
