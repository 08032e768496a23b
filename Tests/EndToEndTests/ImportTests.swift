internal import Foundation
import TestSupport
import Testing

/// `fueki wallet import`: a mnemonic's account becomes a wallet of shares, with the addresses that other software knows.
@Suite(
    "Importing a mnemonic",
    .enabled(if: Peer.node.isExpected, Comment(rawValue: Peer.node.absence)),
    .enabled(if: Peer.python.isExpected, Comment(rawValue: Peer.python.absence)))
struct ImportTests {
    private struct Question: Encodable {
        let words, passphrase: String
        let account: Int
    }
    private struct Found: Decodable { let segwit, taproot, ethereum: [String] }
    private struct Shown: Decodable {
        struct Imported: Decodable {
            let chain: String
            let paths: [String]
        }
        let imported: Imported?
    }

    private static let words = "letter advice cage absurd amount doctor acoustic avoid letter advice cage above"
    private static let pairs = ["device,backup", "device,recovery", "backup,recovery"]

    /// The accounts of the mnemonic in other implementations.
    private func found(_ passphrase: String, account: Int) throws -> Found {
        try Python.ask(
            "mnemonic_accounts.py", Question(words: Self.words, passphrase: passphrase, account: account))
    }

    @Test(
        "the addresses are those that embit derives; what was paid to them, each pair of shares spends, before and after a refresh",
        arguments: [("", 0), ("TREZOR", 2)])
    func bitcoin(passphrase: String, account: Int) throws {
        let node = try Node()
        let wallet = try TestWallet(
            importing: Self.words, passphrase: passphrase.isEmpty ? nil : passphrase, account: account)
        let scripts = try found(passphrase, account: account)
        for (type, purpose, expected) in [("taproot", 86, scripts.taproot), ("segwit", 84, scripts.segwit)] {
            let own = try [(0, false), (5, false), (2, true)].map {
                try wallet.address($0.0, change: $0.1, type: type)
            }
            #expect(own.map(\.script_pubkey) == expected)
            #expect(own.map(\.path) == ["0/0", "0/5", "1/2"].map { "m/\(purpose)'/1'/\(account)'/\($0)" })
        }
        let shown = try wallet.fueki.json("wallet", "show", wallet.name, as: Shown.self).imported
        #expect(shown?.chain == "bitcoin")
        #expect(shown?.paths == ["m/86'/1'/\(account)'", "m/84'/1'/\(account)'"])
        let foreign = try wallet.fueki.run("address", wallet.name, "--type", "ethereum")
        #expect(foreign.isSuccess && foreign.errors.contains("do not restore this address"), "\(foreign.errors)")
        let known = try wallet.fueki.run("address", wallet.name, "--type", "segwit", "--index", "7")
        #expect(known.isSuccess && known.errors.isEmpty, "\(known.errors)")

        let options = try wallet.options(node)
        _ = try node.fund(scriptPubKeys: scripts.segwit + scripts.taproot)
        for (number, pair) in (Self.pairs + ["backup,recovery"]).enumerated() {
            if number == Self.pairs.count {
                let refreshed = try wallet.fueki.run(
                    "wallet", "refresh", wallet.name, "--passphrase-file", "passphrase")
                #expect(refreshed.isSuccess, "\(refreshed.errors)")
                #expect(try wallet.address().script_pubkey == scripts.taproot[0])
            }
            // At first more than all coins of one kind.
            let amount = number == 0 ? "160btc" : "\(number)btc"
            let sent = try wallet.fueki.json(wallet.order(amount, options, ["--with", pair]), as: SentBitcoin.self)
            let (hex, spent, paid) = try node.waiting(sent.txid)
            #expect(try Kernel.verdicts(on: hex, spending: spent).allSatisfy { $0 }, "\(pair)")
            if number == 0 { #expect(Set(spent.map { $0.scriptPubKey.prefix(4) }) == ["5120", "0014"]) }
            #expect(paid.contains { $0.scriptPubKey == Bob.scriptPubKey })
            _ = try node.mineBlocks(1, to: "51")
        }
    }

    @Test("Ethereum accounts match those of eth-account; each pair of shares pays from them")
    func ethereum() throws {
        let node = try EVMNode()
        let wallet = try TestWallet(importing: Self.words, account: 1, chain: "ethereum")
        let addresses = try found("", account: 1).ethereum
        for (index, address) in addresses.enumerated() {
            let own = try wallet.fueki.json(
                "address", wallet.name, "--type", "ethereum", "--account", "\(index)", as: Account.self)
            #expect(own.address == address && own.path == "m/44'/60'/1'/0/\(index)")
            try node.tell("evm_fund", "\"\(address)\", \"0xde0b6b3a7640000\"")
        }
        for (number, pair) in Self.pairs.enumerated() {
            let account = number % 2
            let sent = try wallet.fueki.json(
                [
                    "send", wallet.name, "--to", EthereumBench.bob, "--amount", "0.\(number + 1)eth", "--chain",
                    EthereumBench.chain,
                    "--node", node.url, "--passphrase-file", "passphrase", "--yes", "--with", pair, "--account",
                    "\(account)",
                ], as: EthereumBench.Outcome.self)
            #expect(sent.from == addresses[account])
            #expect(try EthAccount.senders(of: [String(sent.transaction.dropFirst(2))]) == [addresses[account]])
            try node.tell("evm_mine")
        }
        let received: String = try node.ask("eth_getBalance", "\"\(EthereumBench.bob)\", \"latest\"")
        #expect(EthereumBench.number(received) == EthereumBench.ether("0.6"))
    }

    private struct Account: Decodable { let address, path: String }
}

/// Refusals before anything is made.
@Suite("Importing a mnemonic: refusals")
struct ImportRefusalTests {
    private struct Refusal: Decodable {
        struct Body: Decodable { let code, message: String }
        let error: Body
    }

    private static let words = "legal winner thank year wave sausage worth useful legal winner thank yellow"

    private func run(_ fueki: borrowing FuekiCommand, _ more: [String], input: String = "") throws -> Program.Outcome {
        try fueki.run(
            [
                "wallet", "import", "old", "--network", "regtest", "--backup-dir", "backup", "--recovery-dir",
                "recovery", "--passphrase-file", "passphrase", "--json",
            ] + more, input: input)
    }

    private func files(_ fueki: borrowing FuekiCommand) -> [String] {
        let paths = (try? FileManager.default.subpathsOfDirectory(atPath: fueki.folder.path)) ?? []
        return paths.filter { $0.hasSuffix(".vault") || $0.hasSuffix(".json") }
    }

    @Test("words outside the word list are named by their position, and nothing is written")
    func badWords() throws {
        let fueki = try FuekiCommand()
        try fueki.folder.write("correct horse battery staple\n", to: "passphrase")
        for (words, message) in [
            (Self.words.replacing("yellow", with: "zoo"), "one is wrong, or in the wrong place"),
            (Self.words.replacing("sausage", with: "sausages"), "word 6 is not in"),
            ("legal winner", "has 2"), ("\n", "has 0"), (Self.words + "\nlegal", "has 13"),
            (Self.words + String(repeating: "\n", count: 4_096), "this is not a mnemonic"),
        ] {
            let outcome = try run(fueki, ["--mnemonic-file", "-"], input: words + "\n")
            #expect(outcome.status == 65, "\(outcome.errors)")
            let refusal = try JSONDecoder().decode(Refusal.self, from: Data(try lastObject(of: outcome.errors).utf8))
            #expect(refusal.error.code == "bad_mnemonic" && refusal.error.message.contains(message))
            #expect(!outcome.errors.contains("winner") && outcome.output.isEmpty)
        }
        #expect(files(fueki).isEmpty)
    }

    @Test("a used name or place, an impossible account, and two files from one stream are refused")
    func refused() throws {
        let fueki = try FuekiCommand()
        try fueki.folder.write("correct horse battery staple\n", to: "passphrase")
        try fueki.folder.write(Self.words + "\n", to: "words")
        let file = ["--mnemonic-file", "words"]
        for (more, status) in [
            (file + ["--account", "2147483648"], 64), ([], 64), (["--mnemonic-passphrase-file", "words"], 64),
            (["--mnemonic-file", "-", "--mnemonic-passphrase-file", "-"], 64),
            (["--mnemonic-file", "nowhere"], 66), (file + ["--threshold", "4"], 64),
        ] as [([String], Int32)] {
            let outcome = try run(fueki, more)
            #expect(outcome.status == status, "\(more): \(outcome.errors)")
        }
        #expect(files(fueki).isEmpty)
        let made = try run(fueki, file)
        #expect(made.isSuccess && made.output.contains("can still spend the coins"), "\(made.errors)")
        let before = files(fueki)
        let again = try run(fueki, file)
        #expect(again.status == 73 && again.errors.contains("wallet_exists"))
        #expect(files(fueki) == before && before.count == 5, "\(before)")
    }

    /// Returns the text after the progress.
    private func lastObject(of text: String) throws -> String {
        let start = try #require(text.firstIndex(of: "{"))
        return String(text[start...])
    }
}
