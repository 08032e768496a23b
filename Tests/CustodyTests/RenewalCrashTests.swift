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

/// The state after `fueki wallet refresh` is killed, or a system call fails, at each system call on its files.
@Suite(
    "Crashes while a wallet is renewed",
    .enabled(if: Strace.isUsable || Strace.isRequired, Comment(rawValue: Strace.absence)), .serialized)
struct RenewalCrashTests {
    /// A wallet of two shares, which can be reset to its state before the refresh.
    private struct Site: ~Copyable {
        let command: FuekiCommand
        let path: String
        let wallet: WalletRecord

        init() async throws {
            let command = try FuekiCommand()
            let file = try command.folder.write(WalletHomeFixture.passphrase + "\n", to: "passphrase")
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

        func reset() throws {
            for folder in Self.folders {
                try FileManager.default.removeItem(atPath: "\(path)/\(folder)")
                try FileManager.default.copyItem(atPath: "\(path)/snapshot/\(folder)", toPath: "\(path)/\(folder)")
            }
        }

        /// All files of the wallet but its book and its log, by their path from the folder.
        var files: [String] {
            Self.folders.flatMap { folder in
                let names = (try? FileManager.default.contentsOfDirectory(atPath: "\(path)/\(folder)")) ?? []
                return names.filter { !$0.hasPrefix("log-") && !$0.contains("book.") }
                    .map { "\(folder)/\($0)" }
            }.sorted()
        }

        func shares(_ epoch: Int) -> [String] {
            let suffix = epoch == 0 ? "" : "-epoch-\(epoch)"
            return ["backup/fueki-w-backup\(suffix).vault", "home/wallets/w/device\(suffix).vault"]
        }

        func run(_ injecting: String? = nil) throws -> Strace.Run {
            let files = shares(0) + shares(1) + ["home/wallets/w/wallet.json", "home/wallets/w/renewal.json"]
            return try Strace.run(
                command, ["wallet", "refresh", "w", "--passphrase-file", "\(path)/passphrase", "--json"],
                on: files.map { "\(path)/\($0)" }, injecting: injecting)
        }

        /// The epoch of the wallet, after a check that all of its shares exist.
        func checkWhole(_ injected: String) async throws -> Int {
            let wallet = try home.wallet(try WalletName("w"))
            for share in wallet.shares {
                let sealed = try await home.open(
                    share.location, of: wallet, passphrase: secret(WalletHomeFixture.passphrase))
                #expect(sealed.record == wallet, "\(injected)")
            }
            #expect(wallet.keys.isSameKeys(as: self.wallet.keys), "\(injected)")
            return wallet.epoch
        }

        /// Cleans up, and checks that only one wallet is left: that of this epoch, which ``checkWhole(_:)`` has just found.
        func checkTidied(_ epoch: Int, _ injected: String) async throws {
            let remaining = try await RenewalCleanup(of: wallet.name, in: home).remove(
                passphrase: secret(WalletHomeFixture.passphrase))
            #expect(remaining.isEmpty, "\(injected)")
            #expect(try await checkWhole(injected) == epoch, "\(injected)")
            // A lock file left by a crash locks out no command, and is removed with the next lock.
            let there = files.filter { !$0.contains("/.") && !$0.hasSuffix(".lock") }
            #expect(there == (shares(epoch) + ["home/wallets/w/wallet.json"]).sorted(), "\(injected)")
        }

        /// Renews again, and checks that no files of any attempt are left.
        func checkAgain(_ injected: String) async throws {
            let epoch = try home.wallet(wallet.name).epoch
            _ = try await WalletRenewal(.refresh, of: wallet.name, in: home).run(
                passphrase: secret(WalletHomeFixture.passphrase), random: SystemRandom(), now: 1
            ) { _ in }
            #expect(try await checkWhole(injected) == epoch + 1)
            #expect(files == (shares(epoch + 1) + ["home/wallets/w/wallet.json"]).sorted(), "\(injected)")
        }
    }

    @Test("new shares are flushed and read back, then the description is written, and only then old shares are removed")
    func order() async throws {
        let site = try await Site()
        let run = try site.run()
        #expect(run.outcome.isSuccess, "\(run.outcome.errors)")
        #expect(Set(run.calls.map { $0.prefix { $0 != " " } }).count == 1, "strace counts calls by thread")
        let names = ["fueki-w-backup-epoch-1.vault", "device-epoch-1.vault", "wallet.json", "renewal.json"]
        var steps: [String] = []
        for call in run.calls {
            var step: String?
            for name in names {
                if call.contains("renameat("), call.contains("\"\(name)\"") { step = "name \(name)" }
                if call.contains("read("), call.contains("/\(name)>"), name.contains("epoch") { step = "read \(name)" }
            }
            for name in ["device.vault", "fueki-w-backup.vault", "renewal.json"]
            where call.contains("unlinkat(") && call.contains("\"\(name)\"") && call.hasSuffix("= 0") {
                step = "remove \(name)"
            }
            if call.contains("fsync("), call.contains("/home/wallets/w>") || call.contains("/backup>") {
                step = "flush folder"
            }
            if let step, step != steps.last { steps.append(step) }
        }
        let flush = "flush folder"
        #expect(
            steps == [
                // The book has the keys of the log, and the log the admission.
                flush,
                "name renewal.json", flush, "name device-epoch-1.vault", flush, "name fueki-w-backup-epoch-1.vault",
                flush,
                "read device-epoch-1.vault", "read fueki-w-backup-epoch-1.vault", "name wallet.json", flush,
                // Again, since the cleaning command cannot know whether the write was flushed.
                "name wallet.json", flush, "remove device.vault", flush, "remove fueki-w-backup.vault", flush,
                "remove renewal.json", flush,
            ])
    }

    @Test(
        "killed at any system call, the old wallet is there or the new one, whole, and the rest is tidied up",
        arguments: ["fsync", "renameat", "unlinkat"])
    func killed(_ call: String) async throws {
        try await inject("signal=KILL", at: call) { site, run, injected in
            #expect(!run.outcome.isSuccess, "\(injected)")
            try await site.checkTidied(try await site.checkWhole(injected), injected)
            if call == "renameat" { try await site.checkAgain(injected) }
        }
    }

    @Test(
        "if a system call fails the old wallet is there or the new one, whole, and the rest is tidied up",
        arguments: [
            ("fsync", "EIO"), ("renameat", "EIO"), ("unlinkat", "EIO"), ("write", "ENOSPC"),
        ])
    func failed(_ call: String, _ error: String) async throws {
        try await inject("error=\(error)", at: call) { site, run, injected in
            let epoch = try await site.checkWhole(injected)
            if run.outcome.isSuccess {
                #expect(epoch == 1, "\(injected)")
            } else {
                // The error tells a person what went wrong; where the new wallet exists, it tells that this is
                // uncertain.
                #expect(run.outcome.errors.contains("\"message\""), "\(injected): \(run.outcome.errors)")
                #expect(epoch == 0 || run.outcome.errors.contains("renewal_unfinished"), "\(injected)")
            }
            try await site.checkTidied(epoch, injected)
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
