import Foundation
internal import HDKeys
import Secrets
import TestSupport
import Testing
import Threshold
import Wallet

@testable import Ceremonies
@testable import CeremoniesTestSupport
@testable import Custody
@testable import CustodyTestSupport

/// The state after `fueki wallet create` is killed, or a system call fails, at each system call on its files.
@Suite(
    "Crashes while a wallet is made",
    .enabled(if: Strace.isUsable || Strace.isRequired, Comment(rawValue: Strace.absence)), .serialized)
struct CreationCrashTests {
    private static let shareFiles = ["home/wallets/w/device.vault", "backup/fueki-w-backup.vault"]
    private static let files = shareFiles + ["home/wallets/w/wallet.json"]
    private static let unfinished = "home/wallets/w/creation.json"

    /// The command's folder as a fixture: its wallet has two shares.
    private struct Site: ~Copyable {
        let command: FuekiCommand
        let path: String

        init() throws {
            let command = try FuekiCommand()
            path = try command.folder.write(WalletHomeFixture.passphrase + "\n", to: "passphrase").droppingLastPart
            self.command = command
        }

        var arguments: [String] {
            [
                "wallet", "create", "w", "--network", "regtest", "--shares", "2", "--backup-dir", "\(path)/backup",
                "--passphrase-file", "\(path)/passphrase", "--json",
            ]
        }
        var home: WalletHome { WalletHome(path: "\(path)/home") }

        var creation: WalletCreation {
            get throws {
                WalletCreation(
                    name: try WalletName("w"), network: .regtest,
                    parameters: try ThresholdParameters(threshold: 2, total: 2),
                    places: SharePlaces(backup: "\(path)/backup", recovery: nil), home: home)
            }
        }

        /// The wallet's files, by their path from the folder.
        var there: [String] {
            CreationCrashTests.files.filter { FileManager.default.fileExists(atPath: "\(path)/\($0)") }
        }

        /// Other files in the wallet's places, besides its book and its log: left-overs of an interrupted write.
        var litter: [String] {
            ["home/wallets/w", "backup"].flatMap { folder in
                let names = (try? FileManager.default.contentsOfDirectory(atPath: "\(path)/\(folder)")) ?? []
                return names.filter { !$0.hasPrefix("log-") && !$0.contains("book.") }
                    .map { "\(folder)/\($0)" }.filter { !CreationCrashTests.files.contains($0) }
            }
        }

        func run(_ injecting: String? = nil) throws -> Strace.Run {
            let files = CreationCrashTests.files + [CreationCrashTests.unfinished]
            let paths = files.map { "\(path)/\($0)" } + ["\(path)/home/wallets", "\(path)/home/x"]
            return try Strace.run(command, arguments, on: paths, injecting: injecting)
        }

        /// Checks that the wallet is listed, and that all of its shares open.
        func checkComplete(_ injected: String) async throws {
            let listed = try command.json("wallet", "list", as: [[String: JSON]].self)
            #expect(listed.compactMap { try? $0["name"]?.string } == ["w"], "\(injected)")
            let wallet = try home.wallet(try WalletName("w"))
            for share in wallet.shares {
                let sealed = try await home.open(
                    share.location, of: wallet, passphrase: secret(WalletHomeFixture.passphrase))
                #expect(sealed.record == wallet, "\(injected)")
            }
        }

        var isUnfinished: Bool { FileManager.default.fileExists(atPath: "\(path)/\(CreationCrashTests.unfinished)") }

        /// Checks that there is no wallet, that the rest is listed as unfinished, and that it prevents nothing.
        ///
        /// - Parameter deleting: whether the rest is deleted before the same command makes the wallet.
        func checkAbsent(_ injected: String, deleting: Bool) async throws {
            #expect(home.names().isEmpty, "\(injected)")
            #expect(isUnfinished || there.isEmpty, "\(injected): \(there)")
            let listed = try command.json("wallet", "list", as: [[String: JSON]].self)
            #expect(listed.compactMap { try? $0["name"]?.string } == (isUnfinished ? ["w"] : []), "\(injected)")
            if deleting, isUnfinished {
                let deletion = try command.run("wallet", "delete", "w", "--yes")
                #expect(deletion.isSuccess, "\(injected): \(deletion.errors)")
                #expect(there.isEmpty && litter.isEmpty, "\(injected): \(there) \(litter)")
            }
            let again = try command.run(arguments)
            #expect(again.isSuccess, "\(injected): \(again.errors)")
            try await checkComplete(injected + ", and again")
            #expect(litter.isEmpty, "\(injected): left behind by the second one")
        }
    }

    @Test("the description gets its name last, after each share was flushed to the disk and read back")
    func order() throws {
        let calls = try Self.calm.get()
        #expect(Set(calls.map { $0.prefix { $0 != " " } }).count == 1, "strace counts calls by thread")
        let steps = calls.compactMap { call -> String? in
            for (number, file) in (Self.files + [Self.unfinished]).enumerated() {
                let name = (file as NSString).lastPathComponent
                if call.contains("renameat("), call.contains("\"\(name)\"") { return "name \(number)" }
                if call.contains("fsync("), call.contains("/.\(name).tmp>") { return "flush \(number)" }
                if call.contains("read("), call.contains("/\(name)>"), !call.contains("= 0") { return "read \(number)" }
            }
            let isFolder = ["/home/wallets/w>", "/backup>"].contains { call.contains("fsync(") && call.contains($0) }
            return isFolder ? "flush folder" : nil
        }
        // The description gets its own name by renaming the file that marked the creation as unfinished.
        let order = [
            "flush 3", "name 3", "flush folder", "flush 0", "name 0", "flush folder", "flush 1", "name 1",
            "flush folder", "read 0", "read 1", "name 2", "flush folder",
        ]
        #expect(Array(steps.prefix(order.count)) == order)
        // Then the book is made, with the passphrase that opens a share, and the log.
        #expect(Set(steps.dropFirst(order.count)) == ["read 0", "flush folder"])
    }

    @Test(
        "killed at any system call, there is the whole wallet, or a rest that the same command or a deletion removes",
        arguments: ["openat", "write", "fsync", "renameat", "mkdirat", "unlinkat"])
    func killed(_ call: String) async throws {
        var count = 0
        try await inject("signal=KILL", at: call) { site, run, injected in
            #expect(!run.outcome.isSuccess, "\(injected)")
            count += 1
            if site.there.contains("home/wallets/w/wallet.json") {
                try await site.checkComplete(injected)
                let isUnfinished = site.isUnfinished
                #expect(!isUnfinished, "\(injected)")
            } else {
                try await site.checkAbsent(injected, deleting: count.isMultiple(of: 2))
            }
        }
    }

    @Test(
        "if a system call fails there is the whole wallet, or an error and no file",
        arguments: [
            ("openat", "EIO"), ("write", "EIO"), ("fsync", "EIO"), ("renameat", "EIO"), ("mkdirat", "EIO"),
            ("unlinkat", "EIO"), ("close", "EIO"), ("flock", "EIO"), ("read", "EIO"), ("openat", "ENOSPC"),
            ("write", "ENOSPC"), ("fsync", "ENOSPC"), ("renameat", "ENOSPC"), ("mkdirat", "ENOSPC"),
        ])
    func failed(_ call: String, _ error: String) async throws {
        try await inject("error=\(error)", at: call) { site, run, injected in
            if run.outcome.isSuccess {
                try await site.checkComplete(injected)
                return
            }
            let isUnfinished = site.isUnfinished
            #expect(site.there.isEmpty && !isUnfinished, "\(injected)")
            #expect(site.home.names().isEmpty, "\(injected)")
            #expect(throws: Never.self, "\(injected)") { try site.creation.check() }
            // The error tells a person what went wrong.
            #expect(run.outcome.errors.contains("\"message\""), "\(injected): \(run.outcome.errors)")
            if error == "ENOSPC" {
                #expect(run.outcome.errors.contains("disk is full"), "\(injected): \(run.outcome.errors)")
            }
        }
    }

    /// The calls of an undisturbed command.
    private static let calm = Result {
        let run = try Strace.steady { try Site().run() }
        #expect(run.outcome.isSuccess, "\(run.outcome.errors)")
        return run.calls
    }

    /// Interrupts one such call after another, each time with another home.
    private func inject(
        _ fault: String, at call: String, check: (borrowing Site, Strace.Run, String) async throws -> Void
    ) async throws {
        let numbers = CrashPoints(trace: try Self.calm.get()).numbers(of: call)
        #expect(!numbers.isEmpty, "the command never calls \(call)")
        for number in numbers {
            var site = try Site()
            let injected = "\(call):\(fault):when=\(number)"
            let run = try Strace.steady {
                site = try Site()
                return try site.run(injected)
            }
            #expect(run.wasTampered, "\(injected): the command made fewer calls")
            try await check(site, run, injected)
        }
    }
}

extension String {
    /// Returns the folder of a file.
    fileprivate var droppingLastPart: String { (self as NSString).deletingLastPathComponent }
}
