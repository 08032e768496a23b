internal import Foundation
import Synchronization
import TestSupport
import Testing

/// `fueki wallet sweep`: the balance of a mnemonic or a keystore goes to a wallet of shares.
@Suite(
    "Sweeping a mnemonic or a keystore",
    .enabled(if: Peer.node.isExpected, Comment(rawValue: Peer.node.absence)),
    .enabled(if: Peer.python.isExpected, Comment(rawValue: Peer.python.absence)))
struct SweepTests {
    private struct Swept: Decodable {
        let id: String?
        let ids: [String]?
        let chain: String
        let amount: String
        let to: String
        let highest_fee: String
        let left: String
        let stays: String?
        let looked_at: String
    }
    private struct Found: Decodable { let segwit, taproot, ethereum: [String] }

    private static let words = "legal winner thank year wave sausage worth useful legal winner thank yellow"

    /// The accounts of the mnemonic in another implementation: scripts, and the Ethereum address.
    private static func accounts() throws -> Found {
        try Python.ask("mnemonic_accounts.py", ["words": words])
    }

    @Test(
        "coins at addresses of both kinds, to receive and for change, go to the wallet in one transaction that is mined"
    )
    func bitcoin() throws {
        let node = try Node()
        let wallet = try TestWallet()
        let rpc = try node.rpc()
        let scripts = try Self.accounts()
        let coins = try node.fund(scriptPubKeys: scripts.segwit + scripts.taproot).map(\.coin)
        // As a person wrote them down: in three lines.
        let lines = Self.words.replacing(" wave", with: "\nwave").replacing(" legal", with: "\r\n\r\n legal")
        try wallet.fueki.folder.write(lines + "\n", to: "words")
        let command =
            [
                "wallet", "sweep", "--passphrase-file", "passphrase", "--mnemonic-file", "words", "--into", "savings",
                "--addresses", "8",
            ]
            + ["--node", "http://127.0.0.1:\(rpc.port)", "--cookie-file", rpc.cookieFile]
        // Nothing is moved without confirmation, or for an invalid mnemonic.
        try wallet.fueki.folder.write(Self.words.replacing("yellow", with: "zoo") + "\n", to: "wrong")
        let wrong = try wallet.fueki.run(
            command.map { $0 == "words" ? "wrong" : $0 } + ["--yes"])
        #expect(wrong.status == 65 && !wrong.errors.contains("winner"))

        let swept = try wallet.fueki.json(command + ["--yes"], as: Swept.self)
        #expect(try swept.to == wallet.address().address)
        let total = coins.map(\.value).reduce(0, +)
        #expect(Int64(swept.amount).map { $0 + (Int64(swept.highest_fee) ?? 0) } == total)
        #expect(swept.left == "0" && swept.stays == nil)
        #expect(swept.looked_at.contains("account 0") && swept.looked_at.contains("first 8 addresses"))
        let (hex, spent, paid) = try node.waiting(try #require(swept.id))
        #expect(spent.count == coins.count && paid.count == 1)
        #expect(try paid.first?.scriptPubKey == wallet.address().script_pubkey)
        #expect(try Kernel.verdicts(on: hex, spending: spent).allSatisfy { $0 })
        // A second time nothing is left.
        _ = try node.mineBlocks(1, to: scripts.taproot[0])
        let again = try wallet.fueki.run(command + ["--yes"])
        #expect(again.status == 2 || again.isSuccess)
    }

    @Test("coins that stay are reported; a sweep that was only shown moves nothing; imported wallets receive none")
    func left() throws {
        let node = try Node()
        let wallet = try TestWallet()
        let rpc = try node.rpc()
        let scripts = try Self.accounts()
        _ = try node.fund(scriptPubKeys: [scripts.segwit[0], wallet.address().script_pubkey])
        _ = try node.mineBlocks(1, to: scripts.taproot[0])
        try wallet.fueki.folder.write(Self.words + "\n", to: "words")
        let imported = try wallet.fueki.run(
            "wallet", "import", "old", "--network", "regtest", "--mnemonic-file", "words", "--backup-dir", "backup",
            "--recovery-dir", "recovery", "--passphrase-file", "passphrase")
        #expect(imported.isSuccess, "\(imported.errors)")
        let old = try wallet.fueki.json("address", "old", "--index", "1", as: Account.self).address
        func options(_ port: UInt16) -> [String] {
            ["--node", "http://127.0.0.1:\(port)", "--cookie-file", rpc.cookieFile]
        }
        let paid = try wallet.fueki.run(
            ["send", "savings", "--to", old, "--amount", "3btc", "--passphrase-file", "passphrase", "--yes"]
                + options(rpc.port))
        #expect(paid.isSuccess, "\(paid.errors)")
        func transactions() throws -> Int { try node.ask("getrawmempool").matches(of: /[0-9a-f]{64}/).count }
        let sweep = [
            "wallet", "sweep", "--passphrase-file", "passphrase", "--mnemonic-file", "words", "--addresses", "8",
            "--into",
        ]
        let command = sweep + ["savings"] + options(rpc.port)

        let refused = try wallet.fueki.run(sweep + ["old", "--yes", "--json"] + options(rpc.port))
        #expect(refused.status == 2 && refused.errors.contains("\"imported_wallet\""), "\(refused.errors)")

        let shown = try wallet.fueki.run(command + ["--dry-run"])
        let stays = "3 BTC waits to be mined, 50 BTC cannot be spent yet: these stay"
        #expect(shown.isSuccess && shown.output.contains("nothing is signed"), "\(shown.errors)")
        #expect(shown.errors.contains(stays) && shown.errors.contains("account 0 of BIP-84"), "\(shown.errors)")
        #expect(shown.errors.contains("paid to the wallet 'savings'") && shown.errors.contains("the words, m/0/"))
        #expect(!shown.errors.contains("others") && !shown.errors.contains("this wallet"))
        let rehearsed = try wallet.fueki.json(command + ["--dry-run"], as: Swept.self)
        #expect(rehearsed.id == nil && rehearsed.left == "5300000000" && rehearsed.stays == stays)
        #expect(try transactions() == 1)

        let liar = try LyingNode.before(rpc.port, ["sendrawtransaction": .dead])
        let unanswered = try wallet.fueki.run(
            sweep + ["savings", "--yes", "--node", liar.url, "--cookie-file", rpc.cookieFile])
        #expect(unanswered.status == 69 && unanswered.errors.contains("run the same sweep again"))
        #expect(try transactions() == 1)

        let swept = try wallet.fueki.run(command + ["--yes"])
        #expect(swept.isSuccess && swept.errors.contains("paid to the wallet 'savings'"), "\(swept.errors)")
        #expect(swept.output.contains("\(stays). Keep the words") && !swept.output.contains("destroy"))
        #expect(try transactions() == 2)
    }

    @Test(
        "401 coins and more take several transactions, the most valuable first; the same command goes on after an interruption"
    )
    func rounds() throws {
        let node = try Node()
        let wallet = try TestWallet()
        let rpc = try node.rpc()
        let scripts = try Self.accounts()
        let segwit = scripts.segwit[0]
        try node.scatter(20_000, to: Array(repeating: segwit, count: 401), perTransaction: 300)
        try node.scatter(300, to: Array(repeating: segwit, count: 300), perTransaction: 300)
        try node.scatter(10, to: [segwit, segwit], perTransaction: 300)
        try wallet.fueki.folder.write(Self.words + "\n", to: "words")
        let command = [
            "wallet", "sweep", "--passphrase-file", "passphrase", "--mnemonic-file", "words", "--into", "savings",
            "--addresses", "8", "--cookie-file",
            rpc.cookieFile, "--fee", "low", "--node",
        ]
        let url = "http://127.0.0.1:\(rpc.port)"
        let shown = try wallet.fueki.run(command + [url, "--dry-run"])
        #expect(shown.errors.contains("too many for one transaction. 2 of them pay"), "\(shown.errors)")
        #expect(shown.errors.contains("0.0000002 BTC costs more to move than it is worth"), "\(shown.errors)")
        // The first is sent, and then the command ends.
        let count = Counter()
        let dying = try FakeNode { request in
            let isBroadcast = String(decoding: request.body, as: UTF8.self).contains("sendrawtransaction")
            return isBroadcast && count.next() > 1 ? [] : FakeNode.relayed(request, to: rpc.port)
        }
        let interrupted = try wallet.fueki.run(command + [dying.url, "--yes", "--json"])
        #expect(interrupted.status == 69 && interrupted.errors.contains("sent before it: "), "\(interrupted.errors)")
        func waiting() throws -> [String] {
            try node.ask("getrawmempool").matches(of: /[0-9a-f]{64}/).map { String($0.output) }
        }
        let first = try #require(waiting().first)
        #expect(try waiting().count == 1)
        #expect(try node.waiting(first).paid.map(\.value).reduce(0, +) > 395 * 20_000)

        let rest = try wallet.fueki.json(command + [url, "--yes"], as: Swept.self)
        #expect(try waiting().count == 2 && rest.ids == waiting().filter { $0 != first })
        #expect(rest.left == "20" && rest.stays?.contains("costs more to move") == true)
    }

    /// Counts calls.
    private final class Counter: Sendable {
        private let value = Mutex(0)
        func next() -> Int {
            value.withLock {
                $0 += 1
                return $0
            }
        }
    }

    @Test("the balance of the first Ethereum account goes to the wallet, less the highest fee")
    func ethereum() throws {
        let node = try EVMNode()
        let wallet = try TestWallet()
        let account = try #require(Self.accounts().ethereum.first)
        _ = try ask(node, "evm_fund", [account, "0xde0b6b3a7640000"])
        try wallet.fueki.folder.write(Self.words + "\n", to: "words")
        let command = [
            "wallet", "sweep", "--passphrase-file", "passphrase", "--mnemonic-file", "words", "--into", "savings",
            "--chain", "ethereum:31337", "--node",
            node.url, "--yes",
        ]
        // Shown, or without an answer: nothing is moved.
        let shown = try wallet.fueki.run(command.map { $0 == "--yes" ? "--dry-run" : $0 })
        #expect(shown.isSuccess && shown.errors.contains("what of the fee is not needed, at most 0.0"))
        #expect(shown.errors.contains(/pays +0\.99[0-9]+ ETH/), "\(shown.errors)")
        let port = try #require(UInt16(node.url.split(separator: ":").last ?? ""))
        let liar = try LyingNode.before(port, ["eth_sendRawTransaction": .dead])
        let unanswered = try wallet.fueki.run(command.map { $0 == node.url ? liar.url : $0 })
        #expect(unanswered.status == 69 && unanswered.errors.contains("run the same sweep again"))
        #expect(unanswered.errors.contains(/transaction 0x[0-9a-f]{64} is signed/), "\(unanswered.errors)")
        #expect(try ask(node, "eth_getTransactionCount", [account, "pending"]) == "0x0")
        // Into a wallet of the same mnemonic, or another imported wallet.
        let imported = try wallet.fueki.run(
            "wallet", "import", "old", "--network", "regtest", "--chain", "ethereum", "--mnemonic-file", "words",
            "--backup-dir", "backup", "--recovery-dir", "recovery", "--passphrase-file", "passphrase")
        #expect(imported.isSuccess, "\(imported.errors)")
        for (more, name) in [([], "same_account"), (["--account", "1"], "imported_wallet")] {
            let outcome = try wallet.fueki.run(command.map { $0 == "savings" ? "old" : $0 } + ["--json"] + more)
            #expect(outcome.status == 2 && outcome.errors.contains("\"\(name)\""), "\(outcome.errors)")
        }

        let swept = try wallet.fueki.json(command, as: Swept.self)
        #expect(swept.chain == "ethereum:31337" && swept.looked_at.contains(account))
        #expect(swept.left != "0" && UInt64(swept.left) ?? .max < UInt64(swept.highest_fee) ?? 0)
        _ = try ask(node, "evm_mine", [])
        let balance = try ask(node, "eth_getBalance", [swept.to, "latest"])
        let received = try #require(UInt64(balance.dropFirst(2), radix: 16))
        #expect(received == UInt64(swept.amount))
        #expect(received + (UInt64(swept.highest_fee) ?? 0) == 1_000_000_000_000_000_000)
        let mine = try wallet.fueki.json("address", "savings", "--type", "ethereum", as: Account.self)
        #expect(mine.address == swept.to)
        // Another account of the mnemonic.
        let other = try ethereumAccount(1)
        _ = try ask(node, "evm_fund", [other, "0xde0b6b3a7640000"])
        let second = try wallet.fueki.json(command + ["--account", "1"], as: Swept.self)
        #expect(second.to == swept.to && second.id != swept.id)
        _ = try ask(node, "evm_mine", [])
        #expect(try ask(node, "eth_getTransactionCount", [other, "latest"]) == "0x1")
        // The rest is no more than a fee.
        let again = try wallet.fueki.run(command)
        #expect(again.status == 2, "\(again.errors)")
        // Another chain than the node's: nothing is signed.
        let elsewhere = try wallet.fueki.run(command.map { $0 == "ethereum:31337" ? "sepolia" : $0 })
        #expect(elsewhere.status == 69)
    }

    private func ethereumAccount(_ number: Int) throws -> String {
        struct Question: Encodable {
            let words: String
            let account: Int
        }
        let found: Found = try Python.ask("mnemonic_accounts.py", Question(words: Self.words, account: number))
        return try #require(found.ethereum.first)
    }

    private struct Keystore: Decodable { let file, address: String }

    @Test("the balance of another software's keystore goes to the wallet", arguments: ["scrypt", "pbkdf2"])
    func keystore(_ kdf: String) throws {
        let node = try EVMNode()
        let wallet = try TestWallet()
        let secret = "7a28b5ba57c53603b0b07b56bba752f7784bf506fa95edc395f5cf6c7514fe9d"
        let store: Keystore = try Python.ask(
            "keystore.py", ["key": secret, "password": "testpassword", "kdf": kdf])
        _ = try ask(node, "evm_fund", [store.address, "0xde0b6b3a7640000"])
        try wallet.fueki.folder.write(store.file, to: "keystore.json")
        try wallet.fueki.folder.write("testpassword\n", to: "key-passphrase")
        try wallet.fueki.folder.write("testpasswork\n", to: "wrong")
        func command(_ file: String = "keystore.json", _ passphrase: String = "key-passphrase") -> [String] {
            [
                "wallet", "sweep", "--passphrase-file", "passphrase", "--keystore-file", file,
                "--keystore-passphrase-file", passphrase, "--into",
                "savings", "--chain", "ethereum:31337", "--node", node.url, "--yes",
            ]
        }
        // A file that is not a keystore, or does not open, moves nothing, and the error has a name.
        let wrong = try wallet.fueki.run(command("keystore.json", "wrong") + ["--json"])
        #expect(wrong.status == 3 && wrong.errors.contains("\"wrong_passphrase\""), "\(wrong.errors)")
        for (old, new, name) in [
            ("\"version\": 3", "\"version\": 1", "keystore_version"), ("aes-128-ctr", "aes-128-cbc", "keystore_cipher"),
            ("\"kdf\": \"\(kdf)\"", "\"kdf\": \"argon2\"", "keystore_derivation"),
            ("\"mac\"", "\"mad\"", "not_a_keystore"), ("{", "", "not_a_keystore"),
            (
                kdf == "scrypt" ? "\"n\": 1024" : "\"c\": 1000",
                kdf == "scrypt" ? "\"n\": 1073741824" : "\"c\": 4294967295", "keystore_cost"
            ),
        ] {
            #expect(store.file.contains(old), "\(old)")
            try wallet.fueki.folder.write(store.file.replacing(old, with: new, maxReplacements: 1), to: "broken.json")
            let outcome = try wallet.fueki.run(command("broken.json") + ["--json"])
            #expect(outcome.status == 65 && outcome.errors.contains("\"\(name)\""), "\(outcome.errors)")
        }
        #expect(try ask(node, "eth_getTransactionCount", [store.address, "pending"]) == "0x0")

        let swept = try wallet.fueki.json(command(), as: Swept.self)
        _ = try ask(node, "evm_mine", [])
        let balance = try ask(node, "eth_getBalance", [swept.to, "latest"])
        #expect(UInt64(balance.dropFirst(2), radix: 16) == UInt64(swept.amount))
        let mine = try wallet.fueki.json("address", "savings", "--type", "ethereum", as: Account.self)
        #expect(mine.address == swept.to)
        #expect(try ask(node, "eth_getTransactionCount", [store.address, "latest"]) == "0x1")
    }

    @Test("a mnemonic or a keystore, and not both; a keystore is for Ethereum")
    func usage() throws {
        let fueki = try FuekiCommand()
        for words in [
            [], ["--mnemonic-file", "a", "--keystore-file", "b", "--chain", "ethereum"], ["--keystore-file", "b"],
            ["--mnemonic-file", "a", "--keystore-passphrase-file", "b"],
            ["--keystore-file", "b", "--account", "1", "--chain", "ethereum"],
            ["--mnemonic-file", "a", "--account", "2147483648"],
            ["--keystore-file", "-", "--keystore-passphrase-file", "-", "--chain", "ethereum"],
        ] {
            let outcome = try fueki.run(
                ["wallet", "sweep", "--into", "savings", "--node", "http://127.0.0.1:1"] + words)
            #expect(outcome.status == 64, "\(words): \(outcome.errors)")
        }
    }

    private struct Account: Decodable { let address: String }

    /// Makes one JSON-RPC call, with Python's standard library; returns the result as text.
    private func ask(_ node: borrowing EVMNode, _ method: String, _ parameters: [String]) throws -> String {
        let code = """
            import json, sys, urllib.request
            body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": sys.argv[2], "params": sys.argv[3:]}).encode()
            request = urllib.request.Request(sys.argv[1], body, {"Content-Type": "application/json"})
            print(json.load(urllib.request.urlopen(request)).get("result"))
            """
        return try Program.output(Python.system, ["-c", code, node.url, method] + parameters)
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
