internal import Foundation
internal import TestSupport
internal import Testing

@Suite(
    "fueki wallet create on a disk that fails",
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/strace"), "strace is not installed"))
struct FailingDiskTests {
    /// Makes a wallet under strace.
    ///
    /// - Returns: its result, and the number of flushes until the description is durable. Those of the book and the log
    ///   follow.
    private static func create(
        in fueki: borrowing FuekiCommand, injecting fault: [String] = []
    ) throws -> (outcome: Program.Outcome, flushes: Int) {
        let outcome = try Program.run(
            "/usr/bin/strace",
            ["-f", "-qq", "-y", "-o", "calls", "-e", "trace=fsync,renameat"] + fault
                + ["\(FuekiCommand.binaries)/fueki", "wallet", "create", "savings", "--network", "regtest"]
                + ["--backup-dir", "backup", "--passphrase-file", "passphrase"],
            environment: ["FUEKI_HOME": "\(fueki.folder.path)/home"], in: fueki.folder.path)
        let calls = try fueki.folder.read("calls").split(separator: "\n")
        let named = calls.firstIndex { $0.contains("renameat(") && $0.contains("\"wallet.json\"") } ?? 0
        // After the description has its name, its folder is flushed.
        return (outcome, calls[..<named].count { $0.contains("fsync(") } + 1)
    }

    /// The files below the folder that are a share or describe a wallet.
    private static func remains(in folder: borrowing TemporaryFolder) -> [String] {
        let all = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        return all.filter { $0.hasSuffix(".vault") || $0.hasSuffix(".json") }
    }

    @Test("a folder that cannot be written to is reported as such, and not as a bad share")
    func readOnlyFolder() throws {
        let fueki = try FuekiCommand()
        try fueki.folder.write("correct horse battery staple\n", to: "passphrase")
        try FileManager.default.createDirectory(
            atPath: "\(fueki.folder.path)/backup", withIntermediateDirectories: false)
        let outcome = try Program.run(
            "/usr/bin/strace",
            ["-f", "-qq", "-o", "calls", "-P", "\(fueki.folder.path)/backup/fueki-savings-backup.vault.lock"]
                + ["-P", "fueki-savings-backup.vault.lock", "-e", "inject=openat:error=EROFS"]
                + ["\(FuekiCommand.binaries)/fueki", "wallet", "create", "savings", "--network", "regtest"]
                + ["--backup-dir", "backup", "--passphrase-file", "passphrase"],
            environment: ["FUEKI_HOME": "\(fueki.folder.path)/home"], in: fueki.folder.path)
        #expect(outcome.status == 73)
        #expect(
            outcome.errors.contains("fueki: cannot make the backup share")
                && outcome.errors.contains("/backup/fueki-savings-backup.vault: Read-only file system\n"),
            "\(outcome.errors)")
        #expect(Self.remains(in: fueki.folder).isEmpty)
    }

    @Test("a flush that fails at any step from the last share on leaves no wallet that gives addresses")
    func failedFlush() throws {
        let control = try FuekiCommand()
        try control.folder.write("correct horse battery staple\n", to: "passphrase")
        let made = try Self.create(in: control)
        #expect(made.outcome.isSuccess)
        #expect(Self.remains(in: control.folder).count == 5)

        // The folder of the description is flushed; before it, the last two shares, each with its folder.
        for flush in made.flushes - 3...made.flushes {
            let fueki = try FuekiCommand()
            try fueki.folder.write("correct horse battery staple\n", to: "passphrase")
            let failed = try Self.create(in: fueki, injecting: ["-e", "inject=fsync:error=EIO:when=\(flush)"])
            #expect(failed.outcome.status == 73, "\(failed.outcome.errors)")
            #expect(Self.remains(in: fueki.folder).isEmpty)
            #expect(try !fueki.run("address", "savings").isSuccess)
        }
    }

    @Test("a full disk is reported as such before anything is signed, and not as a fault of the log")
    func fullDisk() throws {
        let fueki = try FuekiCommand()
        try fueki.makeSavings()
        let outcome = try Program.run(
            "/usr/bin/strace",
            ["-f", "-qq", "-o", "calls", "-P", "\(fueki.folder.path)/home/wallets/savings/.book.vault.tmp"]
                + ["-P", ".book.vault.tmp", "-e", "inject=openat:error=ENOSPC"]
                + ["\(FuekiCommand.binaries)/fueki", "sign-message", "savings", "--text", "hello", "--yes"]
                + ["--passphrase-file", "passphrase"],
            environment: ["FUEKI_HOME": "\(fueki.folder.path)/home"], in: fueki.folder.path)
        #expect(outcome.status == 73, "\(outcome.errors)")
        #expect(outcome.errors.contains("the disk is full"), "\(outcome.errors)")
        #expect(!outcome.errors.contains("secret") && !outcome.errors.contains("checkpoint"), "\(outcome.errors)")
        #expect(outcome.output.isEmpty)
    }

    @Test("a wallet is created although its log cannot record it, with a warning")
    func unlogged() throws {
        let control = try FuekiCommand()
        try control.folder.write("correct horse battery staple\n", to: "passphrase")
        let flush = try Self.create(in: control).flushes + 1
        let fueki = try FuekiCommand()
        try fueki.folder.write("correct horse battery staple\n", to: "passphrase")
        let made = try Self.create(in: fueki, injecting: ["-e", "inject=fsync:error=EIO:when=\(flush)+"])
        // The file of the result is on the disk that fails, too.
        #expect(made.outcome.status == 74, "\(made.outcome.errors)")
        #expect(made.outcome.errors.contains("warning: the wallet's audit log does not have this: "))
        #expect(try fueki.run("address", "savings").isSuccess)
    }
}
