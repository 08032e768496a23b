import Foundation
internal import HDKeys
import Secrets
import SecureStorage
import TestSupport
import Testing
import Threshold
import Wallet

@testable import Ceremonies
@testable import CeremoniesTestSupport
@testable import Custody
@testable import CustodyTestSupport

/// The state after `fueki wallet passphrase` is killed, or a system call fails, at each system call on its files.
///
/// A change that loses both passphrases is MetaMask's extension issue 34974, in which neither password works afterwards.
@Suite(
    "Crashes while a passphrase is changed",
    .enabled(if: Strace.isUsable || Strace.isRequired, Comment(rawValue: Strace.absence)), .serialized)
struct PassphraseCrashTests {
    private static let old = WalletHomeFixture.passphrase
    private static let new = "five other words, all of them new"

    /// A wallet of two shares without a book, which can be reset to its state before the change.
    private struct Site: ~Copyable {
        let command: FuekiCommand
        let path: String
        let wallet: WalletRecord

        init() async throws {
            let command = try FuekiCommand()
            let file = try command.folder.write(PassphraseCrashTests.old + "\n", to: "old")
            try command.folder.write(PassphraseCrashTests.new + "\n", to: "new")
            let path = (file as NSString).deletingLastPathComponent
            let wallet = try await WalletCreation(
                name: try WalletName("w"), network: .regtest,
                parameters: try ThresholdParameters(threshold: 2, total: 2),
                places: SharePlaces(backup: "\(path)/backup", recovery: nil), home: WalletHome(path: "\(path)/home")
            ).run()
            for folder in Self.folders {
                try FileManager.default.createDirectory(
                    atPath: "\(path)/snapshot/\(folder)", withIntermediateDirectories: true)
                try FileManager.default.removeItem(atPath: "\(path)/snapshot/\(folder)")
                try FileManager.default.copyItem(atPath: "\(path)/\(folder)", toPath: "\(path)/snapshot/\(folder)")
            }
            self.path = path
            self.wallet = wallet
            self.command = command
        }

        static let folders = ["home/wallets/w", "backup"]
        var home: WalletHome { WalletHome(path: "\(path)/home") }
        var book: String { home.bookPath(of: wallet.name) }

        func reset() throws {
            for folder in Self.folders {
                try FileManager.default.removeItem(atPath: "\(path)/\(folder)")
                try FileManager.default.copyItem(atPath: "\(path)/snapshot/\(folder)", toPath: "\(path)/\(folder)")
            }
        }

        private var arguments: [String] {
            [
                "wallet", "passphrase", "w", "--passphrase-file", "\(path)/old", "--new-passphrase-file", "\(path)/new",
                "--json",
            ]
        }

        func run(_ injecting: String? = nil) throws -> Strace.Run {
            try Strace.run(command, arguments, on: wallet.shares.map(\.path) + [book], injecting: injecting)
        }

        /// The files that the passphrase opens; the book only if it was made.
        var files: [String] {
            wallet.shares.map(\.path) + (FileManager.default.fileExists(atPath: book) ? [book] : [])
        }

        static func opens(_ path: String, _ passphrase: String) -> Bool {
            (try? VaultFile.openReadOnly(at: path, passphrase: secret(passphrase), freshness: .unchecked)) != nil
        }

        /// Checks that one passphrase opens every file, and that the shares are whole.
        func checkOpens(_ injected: String) async throws {
            let common = [PassphraseCrashTests.old, PassphraseCrashTests.new].filter { passphrase in
                files.allSatisfy { Self.opens($0, passphrase) }
            }
            #expect(!common.isEmpty, "\(injected): neither passphrase opens every file")
            for share in wallet.shares {
                let sealed = try await home.open(
                    share.location, of: wallet, passphrase: secret(common.first ?? PassphraseCrashTests.new))
                #expect(sealed.record == wallet, "\(injected)")
            }
        }

        /// Checks that the new passphrase alone opens every file, and that nothing is left behind.
        func checkChanged(_ injected: String) throws {
            for file in wallet.shares.map(\.path) + [book] {
                #expect(Self.opens(file, PassphraseCrashTests.new), "\(injected): \(file)")
                #expect(!Self.opens(file, PassphraseCrashTests.old), "\(injected): \(file)")
                #expect(try VaultFile.head(ofFileAt: file).slotCount == 1, "\(injected): \(file)")
            }
            for folder in Self.folders {
                let names = try FileManager.default.contentsOfDirectory(atPath: "\(path)/\(folder)")
                #expect(!names.contains { $0.hasSuffix(".tmp") || $0 == "passphrase.json" }, "\(injected): \(names)")
            }
        }

        /// Runs the same command again, undisturbed.
        func checkCompletes(_ injected: String) throws {
            let outcome = try command.run(arguments)
            #expect(outcome.isSuccess, "\(injected): \(outcome.errors)")
            try checkChanged(injected)
        }
    }

    @Test("every file gets the second passphrase before the first one loses the old one, and the book is the last")
    func order() async throws {
        let site = try await Site()
        let run = try site.run()
        #expect(run.outcome.isSuccess, "\(run.outcome.errors)")
        let names = ["device.vault", "fueki-w-backup.vault", "book.vault"]
        let writes = run.calls.compactMap { call in
            names.first { call.contains("renameat(") && call.contains("\"\($0)\"") }
        }
        // The book is also written for the log, before the change and after it.
        let shares = writes.filter { $0 != "book.vault" }
        #expect(shares == ["device.vault", "fueki-w-backup.vault", "device.vault", "fueki-w-backup.vault"])
        let parts = writes.split(separator: "book.vault").map(Array.init)
        #expect(parts == [["device.vault", "fueki-w-backup.vault"], ["device.vault", "fueki-w-backup.vault"]])
        #expect(writes.first == "book.vault" && writes.last == "book.vault")
        try site.checkChanged("calm")
    }

    @Test(
        "killed at any system call, one passphrase opens every file, and the same command completes the change",
        arguments: ["fsync", "renameat"])
    func killed(_ call: String) async throws {
        try await inject("signal=KILL", at: call) { site, run, injected in
            #expect(!run.outcome.isSuccess, "\(injected)")
            try await site.checkOpens(injected)
            try site.checkCompletes(injected)
        }
    }

    @Test(
        "if a system call fails, one passphrase opens every file, and the same command completes the change",
        arguments: [("fsync", "EIO"), ("renameat", "EIO"), ("write", "ENOSPC")])
    func failed(_ call: String, _ error: String) async throws {
        try await inject("error=\(error)", at: call) { site, run, injected in
            try await site.checkOpens(injected)
            if run.outcome.isSuccess {
                try site.checkChanged(injected)
            } else {
                #expect(run.outcome.errors.contains("\"message\""), "\(injected): \(run.outcome.errors)")
                try site.checkCompletes(injected)
            }
        }
    }

    /// Interrupts one such call after another, each time with the same wallet.
    private func inject(
        _ fault: String, at call: String, check: (borrowing Site, Strace.Run, String) async throws -> Void
    ) async throws {
        let site = try await Site()
        let calm = try Strace.steady {
            try site.reset()
            return try site.run()
        }
        #expect(calm.outcome.isSuccess, "\(calm.outcome.errors)")
        let numbers = CrashPoints(trace: calm.calls).numbers(of: call)
        #expect(!numbers.isEmpty, "the command never calls \(call)")
        for number in numbers {
            let injected = "\(call):\(fault):when=\(number)"
            let run = try Strace.steady {
                try site.reset()
                return try site.run(injected)
            }
            #expect(run.wasTampered, "\(injected): the command made fewer calls")
            try await check(site, run, injected)
        }
    }
}
