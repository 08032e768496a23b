internal import Foundation
internal import TestSupport
internal import Testing

/// `wallet.json` is not trusted: an attacker who can write to the home can replace it, and the checks have to withstand
/// that.
@Suite("A tampered wallet.json")
struct HostileRecordTests {
    /// A wallet whose description was changed as text.
    private static func wallet(replacing old: String, by new: String) throws -> FuekiCommand {
        let fueki = try FuekiCommand()
        try fueki.makeSavings()
        let name = "home/wallets/savings/wallet.json"
        let record = try fueki.folder.read(name)
        #expect(record.contains(old))
        try fueki.folder.write(record.replacingOccurrences(of: old, with: new), to: name)
        return fueki
    }

    @Test("an epoch that does not fit into four bytes is refused", arguments: ["-1", "4294967296"])
    func epoch(_ epoch: String) throws {
        let fueki = try Self.wallet(replacing: "\"epoch\" : 0", by: "\"epoch\" : \(epoch)")
        #expect(try fueki.run("wallet", "show", "savings").status == 65)
        #expect(try fueki.run("wallet", "list").isSuccess)
    }

    @Test("a path with control characters is refused")
    func path() throws {
        let fueki = try Self.wallet(
            replacing: "fueki-savings-backup.vault", by: "x\\u001b[2K\\rshare 2  backup    ok\\u001b[8m")
        let outcome = try fueki.run("wallet", "check", "savings", "--passphrase-file", "passphrase")
        #expect(outcome.status == 65)
        #expect(!(outcome.output + outcome.errors).unicodeScalars.contains("\u{1b}"))
    }

    @Test("a folder whose name has control characters holds no shares, and causes no failure")
    func folder() throws {
        let fueki = try FuekiCommand()
        try fueki.folder.write("correct horse battery staple\n", to: "passphrase")
        let create = ["wallet", "create", "savings", "--network", "regtest", "--passphrase-file", "passphrase"]
        #expect(try fueki.run(create + ["--backup-dir", "a\tb"]).status == 64)
        #expect(try fueki.run(create + ["--backup-dir", "backup"]).isSuccess)
        let file = "\(fueki.folder.path)/backup/fueki-savings-backup.vault"
        let odd = "\(fueki.folder.path)/x\ty"
        try FileManager.default.copyItem(atPath: file, toPath: odd)

        let restore = ["wallet", "restore", "savings", "--passphrase-file", "passphrase", "--home", "other", "--share"]
        #expect(try fueki.run(restore + [odd]).status == 64)
        #expect(try fueki.run(restore + [file]).isSuccess)
        #expect(try fueki.run("wallet", "show", "savings", "--home", "other").isSuccess)
    }

    @Test(
        "a description that was replaced by another wallet's: no address of it is verified, and no sweep pays it",
        arguments: ["thief", "old"], [false, true])
    func replaced(_ other: String, isMoved: Bool) throws {
        let fueki = try FuekiCommand()
        try fueki.folder.write("correct horse battery staple\n", to: "passphrase")
        try fueki.folder.write("another one of five words\n", to: "thief-passphrase")
        let words = "legal winner thank year wave sausage worth useful legal winner thank yellow"
        try fueki.folder.write(words + "\n", to: "words")
        // An old wallet of the same person has the same passphrase, and an attacker may know its mnemonic.
        for (name, passphrase) in [("savings", "passphrase"), ("old", "passphrase"), ("thief", "thief-passphrase")] {
            let made = try fueki.run(
                "wallet", "create", name, "--network", "regtest", "--backup-dir", "backup", "--passphrase-file",
                passphrase)
            #expect(made.isSuccess)
        }
        let verify = ["address", "savings", "--verify", "--passphrase-file", "passphrase", "--json"]
        let sweep = [
            "wallet", "sweep", "--mnemonic-file", "words", "--into", "savings", "--node", "http://127.0.0.1:1", "--yes",
            "--passphrase-file", "passphrase",
        ]
        let verified = try fueki.run(verify)
        #expect(verified.isSuccess && verified.output.contains("\"verified\" : true"), "\(verified.errors)")
        // The command proceeds to the node.
        #expect(try fueki.run(sweep).status == 69)

        var record = try fueki.folder.read("home/wallets/\(other)/wallet.json")
        record = record.replacingOccurrences(of: "\"name\" : \"\(other)\"", with: "\"name\" : \"savings\"")
        if isMoved {
            record = record.replacingOccurrences(of: "/\(other)/", with: "/savings/")
                .replacingOccurrences(of: "fueki-\(other)-", with: "fueki-savings-")
        }
        try fueki.folder.write(record, to: "home/wallets/savings/wallet.json")
        #expect(try fueki.run("address", "savings").isSuccess)
        for command in [verify, sweep] {
            let outcome = try fueki.run(command)
            // The thief's own shares do not open with the passphrase.
            #expect(outcome.status == (other == "thief" && !isMoved ? 3 : 65), "\(outcome.errors)")
            #expect(outcome.output.isEmpty)
        }
    }

    @Test("control characters in a path that a person gives are shown as a mark")
    func argument() throws {
        let fueki = try FuekiCommand()
        let outcome = try fueki.run("psbt", "inspect", "x\u{1b}[2K\ry\u{202e}z")
        #expect(outcome.status == 66)
        #expect(outcome.errors.contains("x\u{fffd}[2K\u{fffd}y\u{fffd}z"))
    }
}
