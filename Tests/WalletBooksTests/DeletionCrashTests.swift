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
@testable import WalletBooks

/// What is left when `fueki wallet delete` is killed, or the system refuses a step, at each system call on the wallet's folder.
@Suite(
    "Crashes while a wallet is deleted",
    .enabled(if: Strace.isUsable || Strace.isRequired, Comment(rawValue: Strace.absence)), .serialized)
struct DeletionCrashTests {
    /// A home with the wallet `w`, whose other shares are elsewhere.
    private struct Site: ~Copyable {
        let command: FuekiCommand
        let path: String

        init() throws {
            let command = try FuekiCommand()
            let path = (try command.folder.write(WalletHomeFixture.passphrase + "\n", to: "passphrase") as NSString)
                .deletingLastPathComponent
            let made = try command.run([
                "wallet", "create", "w", "--network", "regtest", "--backup-dir", "\(path)/backup", "--recovery-dir",
                "\(path)/recovery", "--passphrase-file", "\(path)/passphrase",
            ])
            #expect(made.isSuccess, "\(made.errors)")
            self.path = path
            self.command = command
        }

        var home: WalletHome { WalletHome(path: "\(path)/home") }
        var arguments: [String] {
            ["wallet", "delete", "w", "--expect", "w", "--passphrase-file", "\(path)/passphrase", "--json"]
        }

        func run(_ injecting: String? = nil) throws -> Strace.Run {
            try Strace.run(
                command, arguments,
                on: ["wallet.json", "device.vault"].map { "\(path)/home/wallets/w/\($0)" }
                    + ["\(path)/home/wallets", "\(path)/home/wallets/w", "\(path)/home/wallets/.w.deleted"],
                injecting: injecting)
        }

        /// The wallet whole, or gone: a share without its description, or a description without its share, would be neither.
        func check(_ injected: String) async throws {
            let names = home.names().map(\.description)
            if names.contains("w") {
                let wallet = try home.wallet(try WalletName("w"))
                for share in wallet.shares {
                    _ = try await home.open(
                        share.location, of: wallet, passphrase: secret(WalletHomeFixture.passphrase))
                }
            } else {
                #expect(!FileManager.default.fileExists(atPath: "\(path)/home/wallets/w"), "\(injected)")
            }
            // Again, without faults, it is deleted, and nothing is left.
            let again = try command.run(arguments)
            #expect(again.isSuccess || again.errors.contains("no_such_wallet"), "\(injected): \(again.errors)")
            let left = try FileManager.default.contentsOfDirectory(atPath: "\(path)/home/wallets")
            #expect(left.isEmpty, "\(injected): \(left)")
        }
    }

    @Test("the folder is renamed, and that is on the disk, before the first file of it is removed")
    func order() throws {
        let site = try Site()
        let run = try site.run()
        #expect(run.outcome.isSuccess, "\(run.outcome.errors)")
        let renamed = try #require(run.calls.firstIndex { $0.contains("renameat(") && $0.contains(".w.deleted") })
        let flushed = try #require(
            run.calls[renamed...].firstIndex { $0.contains("fsync(") && $0.contains("/home/wallets>") })
        let removed = try #require(run.calls.firstIndex { $0.contains("unlinkat(") && $0.contains("\"wallet.json\"") })
        #expect(renamed < flushed && flushed < removed, "\(run.calls[renamed...].joined(separator: "\n"))")
        // And at the end that they are gone.
        let last = try #require(run.calls.lastIndex { $0.contains("unlinkat(") && $0.contains(".w.deleted") })
        #expect(run.calls[last...].contains { $0.contains("fsync(") && $0.contains("/home/wallets>") })
    }

    @Test(
        "killed at any system call, there is the whole wallet or none, and a second deletion removes the rest",
        arguments: ["renameat", "fsync", "unlinkat", "openat"])
    func killed(_ call: String) async throws { try await inject("signal=KILL", at: call) }

    @Test(
        "if a system call fails there is the whole wallet or none, and a second deletion removes the rest",
        arguments: ["renameat", "fsync", "unlinkat", "openat"])
    func failed(_ call: String) async throws { try await inject("error=EIO", at: call) }

    /// The calls of a command that nothing disturbs.
    private static let calm = Result {
        let run = try Strace.steady { try Site().run() }
        #expect(run.outcome.isSuccess, "\(run.outcome.errors)")
        return run.calls
    }

    private func inject(_ fault: String, at call: String) async throws {
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
            try await site.check(injected)
        }
    }
}
