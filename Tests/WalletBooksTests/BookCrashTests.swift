internal import Amounts
import AuditLog
import Foundation
import Secrets
import TestSupport
import Testing
import Wallet

@testable import Ceremonies
@testable import CeremoniesTestSupport
@testable import Custody
@testable import CustodyTestSupport
@testable import WalletBooks

/// The state after the signing process is killed, or a system call fails, while the book records an admission.
@Suite(
    "Crashes while the book admits",
    .enabled(if: Strace.isUsable || Strace.isRequired, Comment(rawValue: Strace.absence)), .serialized)
struct BookCrashTests {
    private static let payments = 2

    /// A wallet with an empty book, which can be reset to its state before the first run.
    private struct Case: ~Copyable {
        let command: FuekiCommand
        let home: WalletHome
        let wallet: WalletRecord

        init(isBegun: Bool) async throws {
            let command = try FuekiCommand()
            let home = WalletHome(path: "\(command.folder.path)/home")
            let known = try KnownWallet()
            let wallet = known.record.with(sharesAt: [.device: "\(command.folder.path)/device.vault"])
            try known.sealed(1, beside: wallet).seal(
                passphrase: secret(WalletHomeFixture.passphrase), random: SystemRandom())
            _ = try FolderMaker.making(home.recordPath(of: wallet.name))
            try home.write(wallet)
            if isBegun {
                let book = try await WalletBook.open(
                    of: wallet, in: home, passphrase: secret(WalletHomeFixture.passphrase), random: SystemRandom())
                try await book.add(Contact(name: "Bob", party: .ethereum(Order.bob)))
                try await book.log(.creation)
                await book.close()
            }
            let snapshot = "\(command.folder.path)/snapshot"
            try FileManager.default.createDirectory(atPath: snapshot, withIntermediateDirectories: false)
            for name in Self.files {
                try FileManager.default.copyItem(
                    atPath: "\(command.folder.path)/\(name)", toPath: "\(snapshot)/\(name)")
            }
            self.command = command
            self.home = home
            self.wallet = wallet
        }

        private static let files = ["home", "device.vault"]

        borrowing func reset() throws {
            let folder = command.folder.path
            for name in Self.files {
                try FileManager.default.removeItem(atPath: "\(folder)/\(name)")
                try FileManager.default.copyItem(
                    atPath: "\(folder)/snapshot/\(name)", toPath: "\(folder)/\(name)")
            }
        }

        borrowing func run(injecting fault: String?) throws -> (run: Strace.Run, said: [String]) {
            let witness = home.bookRollbackGuard(of: wallet.name)
            let names = (try? FileManager.default.contentsOfDirectory(atPath: witness)) ?? []
            let files =
                [home.bookPath(of: wallet.name), "\(witness)/none"]
                + names.filter { $0.hasSuffix(".generation") }.map { "\(witness)/\($0)" } + logFiles
            let run = try Strace.run(
                command,
                [
                    "book", home.path, wallet.name.description, WalletHomeFixture.passphrase,
                    "\(BookCrashTests.payments)",
                ],
                on: files, injecting: fault, program: "CrashWriter")
            return (run, run.outcome.output.split(separator: "\n").map(String.init))
        }

        /// Runs the writer on the case's first files, in one thread.
        borrowing func steady(injecting fault: String?) throws -> (run: Strace.Run, said: [String]) {
            try Strace.steady {
                try reset()
                return try run(injecting: fault)
            } run: {
                $0.run
            }
        }

        /// The folder of the log and its files, which the case has begun.
        var logFiles: [String] {
            let folder = home.folder(of: wallet.name)
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            return names.filter { $0.hasPrefix(WalletHome.logPrefix) }.flatMap { name in
                let files = (try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(name)")) ?? []
                return ["\(folder)/\(name)"] + files.map { "\(folder)/\(name)/\($0)" }
            }
        }

        borrowing func open() async throws -> WalletBook {
            try await WalletBook.open(
                of: wallet, in: home, passphrase: secret(WalletHomeFixture.passphrase), random: SystemRandom())
        }
    }

    private final class Logged { var digests: Set<[UInt8]> = [] }

    private func admitted(_ said: [String]) -> UInt64 {
        said.compactMap { $0.hasPrefix("admitted ") ? UInt64($0.dropFirst(9)) : nil }.last ?? 0
    }

    /// The book opens and has all acknowledged admissions: at most one more, which was in progress.
    private func check(_ place: borrowing Case, _ said: [String], isBegun: Bool, _ fault: String) async throws {
        let book = try await place.open()
        let amounts = await book.history().map { $0.effects.first?.amount?.uint64 ?? 0 }
        #expect(amounts == (0..<UInt64(amounts.count)).map { $0 + 1 }, "\(fault)")
        #expect(amounts.count >= Int(admitted(said)), "\(fault): admitted, and lost")
        #expect(amounts.count <= Int(admitted(said)) + 1, "\(fault): admitted ahead of time")
        #expect(await book.history().allSatisfy { $0.state == .reserved }, "\(fault)")
        if isBegun { #expect(await book.contacts().map(\.name) == ["Bob"], "\(fault)") }
        // Each reservation was logged before, and the log goes on.
        try await book.log(.restoration)
        let logged = Logged()
        let report = try #require(try await book.walletLog()).report { _, record in
            guard case .wallet(let event) = record.event, event.stage == .admitted else { return }
            if let subject = event.subject { logged.digests.insert(subject.bytes) }
        }
        #expect(report.isSound, "\(fault): \(report.findings)")
        #expect(logged.digests.isSuperset(of: await book.history().map(\.digest)), "\(fault)")
        await book.close()
        // Left-over files of an interrupted write were removed when the book was opened; a missing book was made.
        let manager = FileManager.default
        let left = try manager.contentsOfDirectory(atPath: place.home.folder(of: place.wallet.name)).filter {
            !$0.hasPrefix(WalletHome.logPrefix)
        }
        let expected: Set = ["book.seen", "book.vault", "wallet.json"]
        #expect(
            isBegun
                ? Set(left) == expected : expected.union([".book.vault.tmp", "book.vault.lock"]).isSuperset(of: left),
            "\(fault): \(left)")
        let seen = (try? manager.contentsOfDirectory(atPath: place.home.bookRollbackGuard(of: place.wallet.name))) ?? []
        #expect(seen.count(where: { $0.hasSuffix(".generation") }) <= 1, "\(fault)")
    }

    @Test(
        "killed at any system call, nothing is lost that was admitted",
        arguments: ["openat", "write", "fsync", "renameat", "unlinkat", "pwrite64", "fdatasync"])
    func killed(_ call: String) async throws { try await inject("signal=KILL", at: call, isBegun: true) }

    @Test("a kill during the book's creation leaves it created or absent", arguments: ["write", "fsync", "renameat"])
    func killedAtTheBeginning(_ call: String) async throws {
        try await inject("signal=KILL", at: call, isBegun: false)
    }

    @Test(
        "a value that cannot be written is refused",
        arguments: [
            ("openat", "EIO"), ("write", "ENOSPC"), ("fsync", "EIO"), ("renameat", "EIO"), ("pwrite64", "ENOSPC"),
            ("fdatasync", "EIO"),
        ])
    func failed(_ call: String, _ error: String) async throws {
        try await inject("error=\(error)", at: call, isBegun: true)
    }

    /// Interrupts one such call after another, each time with the same book.
    private func inject(_ fault: String, at call: String, isBegun: Bool) async throws {
        let place = try await Case(isBegun: isBegun)
        let calm = try place.steady(injecting: nil)
        #expect(calm.said.last == "closed", "\(calm.said)")
        let numbers = CrashPoints(trace: calm.run.calls).numbers(of: call)
        #expect(!numbers.isEmpty, "the book never calls \(call)")
        for number in numbers {
            let injected = "\(call):\(fault):when=\(number)"
            let (run, said) = try place.steady(injecting: injected)
            if run.wasTampered, fault.hasPrefix("error"), said.last != "closed" {
                // The command stops with a reason, and does not continue.
                #expect(said.last?.hasPrefix("refused ") == true, "\(injected): \(said)")
                #expect(
                    said.count == 1 + Int(admitted(said)) + (said.first == "opened" ? 1 : 0), "\(injected): \(said)")
            }
            try await check(place, said, isBegun: isBegun, injected)
            #expect(run.wasTampered, "\(injected): the book made fewer calls")
        }
    }

    @Test("every admission is flushed, renamed and flushed again before it is acknowledged")
    func order() async throws {
        let place = try await Case(isBegun: true)
        let (run, said) = try place.run(injecting: nil)
        #expect(said == ["opened", "admitted 1", "admitted 2", "closed"])
        let folder = place.home.folder(of: place.wallet.name)
        let steps = run.calls.compactMap { call -> String? in
            if call.contains("/entries-") {
                if call.contains("pwrite64(") { return "log" }
                if call.contains("fdatasync(") { return "flush log" }
            }
            if call.contains("write("), call.contains("/.book.vault.tmp>") { return "write" }
            if call.contains("fsync("), call.contains("/.book.vault.tmp>") { return "flush" }
            if call.contains("renameat("), call.contains("\".book.vault.tmp\"") { return "rename" }
            if call.contains("fsync("), call.contains("<\(folder)>") { return "flush folder" }
            return nil
        }
        let logged = ["log", "flush log"]
        let booked = ["write", "flush", "rename", "flush folder"]
        // Opening the log repeats its last commit. The book has the secret of an epoch before its first entry, and the
        // checkpoint after the last one.
        let opened = logged + logged + booked
        #expect(steps == opened + logged + booked + logged + booked + logged + booked)
    }
}
