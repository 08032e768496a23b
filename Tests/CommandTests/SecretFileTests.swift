internal import Foundation
import TestSupport
import Testing

@Suite("Secret files that others can read")
struct SecretFileTests {
    private struct Warned: Decodable { let warnings: [String] }
    private static let passphrase = "a passphrase that is long enough"

    /// A wallet, and its passphrase in a file of this mode, in a folder of that mode.
    private func make(_ file: Int, in folder: Int) throws -> FuekiCommand {
        let fueki = try FuekiCommand()
        try fueki.folder.write(Self.passphrase, to: "passphrase")
        let made = try fueki.run(
            "wallet", "create", "w", "--network", "regtest", "--backup-dir", "usb", "--passphrase-file", "passphrase")
        #expect(made.isSuccess, "\(made.errors)")
        let path = fueki.folder.path
        try FileManager.default.setAttributes([.posixPermissions: file], ofItemAtPath: "\(path)/passphrase")
        try FileManager.default.setAttributes([.posixPermissions: folder], ofItemAtPath: path)
        return fueki
    }

    @Test(
        "a passphrase that others can get at is taken with a warning, and one that they cannot without",
        arguments: [
            (0o644, 0o755, true), (0o640, 0o750, true), (0o604, 0o711, true), (0o660, 0o755, true),
            (0o600, 0o755, false), (0o400, 0o777, false),
            // The folder keeps other users out.
            (0o644, 0o700, false), (0o640, 0o701, false), (0o604, 0o750, false),
        ])
    func modes(file: Int, folder: Int, isTold: Bool) throws {
        let fueki = try make(file, in: folder)
        let outcome = try fueki.run("contact", "list", "w", "--passphrase-file", "passphrase")
        #expect(outcome.status == 0)
        #expect(outcome.errors.contains("warning: other users of this machine can access passphrase") == isTold)
    }

    @Test("programs find the warning among the warnings of a result")
    func json() throws {
        let fueki = try make(0o644, in: 0o755)
        let warned: Warned = try fueki.json(
            "wallet", "refresh", "w", "--passphrase-file", "passphrase")
        #expect(warned.warnings.first?.contains("other users of this machine can access passphrase") == true)
        // The result's own warnings stay.
        #expect(warned.warnings.contains { $0.contains("holds 3 shares") })
    }

    @Test("standard input and pipes cause no warning")
    func pipes() throws {
        let fueki = try make(0o600, in: 0o755)
        let input = try fueki.run("contact", "list", "w", "--passphrase-file", "-", input: Self.passphrase)
        #expect(input.status == 0 && input.errors.isEmpty)
        let pipe = try Program.run(
            "/bin/bash", ["-c", "fueki contact list w --passphrase-file <(cat passphrase)"],
            environment: [
                "PATH": "\(FuekiCommand.binaries):/usr/bin:/bin", "FUEKI_HOME": "\(fueki.folder.path)/home",
            ], in: fueki.folder.path)
        #expect(pipe.status == 0 && pipe.errors.isEmpty, "\(pipe.errors)")
    }

    @Test("files of mnemonics, their passphrases and keystores' passphrases are checked as well")
    func others() throws {
        let fueki = try make(0o644, in: 0o755)
        let outcome = try fueki.run(
            "wallet", "import", "x", "--network", "regtest", "--backup-dir", "usb", "--mnemonic-file", "passphrase",
            "--mnemonic-passphrase-file", "passphrase", "--passphrase-file", "passphrase")
        #expect(outcome.status != 0)
        #expect(outcome.errors.components(separatedBy: "can access passphrase").count == 4)
        let swept = try fueki.run(
            "wallet", "sweep", "--into", "w", "--keystore-file", "passphrase", "--keystore-passphrase-file",
            "passphrase",
            "--chain", "ethereum", "--node", "http://127.0.0.1:1")
        #expect(swept.errors.contains("warning: other users of this machine can access passphrase"), "\(swept.errors)")
    }

    @Test("a node's cookie may be readable by its group, and not by all")
    func cookie() throws {
        for (mode, isTold) in [(0o640, false), (0o644, true)] {
            let fueki = try make(mode, in: 0o755)
            let outcome = try fueki.run(
                "balance", "w", "--node", "http://127.0.0.1:1", "--cookie-file", "passphrase")
            #expect(outcome.errors.contains("can access passphrase") == isTold, "\(outcome.errors)")
        }
    }
}
