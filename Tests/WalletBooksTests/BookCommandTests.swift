internal import Bitcoin
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

@Suite("The book between commands")
struct BookCommandTests {
    @Test("a limit holds across commands, and only the newest book is accepted")
    func limit() async throws {
        let command = try FuekiCommand()
        let path = command.folder.path
        let home = WalletHome(path: "\(path)/home")
        try command.folder.write(WalletHomeFixture.passphrase + "\n", to: "passphrase")
        let wallet = try await WalletCreation(
            name: try WalletName("w"), network: .regtest,
            parameters: try ThresholdParameters(threshold: 2, total: 2),
            places: SharePlaces(backup: "\(path)/backup", recovery: nil), home: home
        ).run()
        let policy = BookFixture.policy(BookFixture.daily("0.001 BTC@bitcoin:regtest"))
        try Data(policy).write(to: URL(fileURLWithPath: "\(path)/policy.json"))
        func fueki(_ arguments: String...) throws -> Program.Outcome {
            try command.run(arguments + ["--passphrase-file", "\(path)/passphrase"])
        }
        func sign(_ satoshis: UInt64, spending number: Int) throws -> Program.Outcome {
            let order = try Order.bitcoin(satoshis, from: wallet, spending: [number])
            guard case .bitcoinTransaction(let psbt) = order else { preconditionFailure("it is one") }
            try Data(psbt.encoded).write(to: URL(fileURLWithPath: "\(path)/\(number).psbt"))
            return try fueki(
                "psbt", "sign", "w", "\(number).psbt", "-o", "\(number).signed", "--with", "device,backup", "--yes")
        }
        let set = try fueki("policy", "set", "w", "policy.json", "--yes")
        #expect(set.isSuccess, "\(set.errors)")
        let book = home.bookPath(of: wallet.name)
        let old = try Data(contentsOf: URL(fileURLWithPath: book))

        let first = try sign(60_000, spending: 1)
        #expect(first.isSuccess, "\(first.errors)")
        let second = try sign(60_000, spending: 2)
        #expect(second.status == 2)
        #expect(second.errors.contains("nothing was signed"), "\(second.errors)")
        #expect(!FileManager.default.fileExists(atPath: "\(path)/2.signed"))

        // Neither an older book nor a missing one frees the limit.
        let newest = try Data(contentsOf: URL(fileURLWithPath: book))
        try old.write(to: URL(fileURLWithPath: book))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: book)
        let older = try sign(60_000, spending: 2)
        #expect(older.status == 65)
        #expect(older.errors.contains("is an old copy"), "\(older.errors)")
        try FileManager.default.removeItem(atPath: book)
        let missing = try sign(60_000, spending: 2)
        #expect(missing.status == 66)
        #expect(missing.errors.contains("the wallet's book is not at \(book)"), "\(missing.errors)")
        #expect(!FileManager.default.fileExists(atPath: "\(path)/2.signed"))

        try newest.write(to: URL(fileURLWithPath: book))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: book)
        // Both pay a fee of 1,000 satoshi, which counts as well.
        let third = try sign(38_000, spending: 2)
        #expect(third.isSuccess, "\(third.errors)")
    }

    @Test(
        "killed, or with a disk that fails, while the book is written: nothing is signed that it does not have",
        .enabled(if: Strace.isUsable || Strace.isRequired, Comment(rawValue: Strace.absence)),
        arguments: [("fsync", "signal=KILL"), ("renameat", "signal=KILL"), ("renameat", "error=EIO")])
    func interrupted(_ call: String, _ fault: String) async throws {
        let command = try FuekiCommand()
        let path = command.folder.path
        let home = WalletHome(path: "\(path)/home")
        try command.folder.write(WalletHomeFixture.passphrase + "\n", to: "passphrase")
        let wallet = try await WalletCreation(
            name: try WalletName("w"), network: .regtest,
            parameters: try ThresholdParameters(threshold: 2, total: 2),
            places: SharePlaces(backup: "\(path)/backup", recovery: nil), home: home
        ).run()
        var number = 0
        while true {
            number += 1
            let order = try Order.bitcoin(60_000, from: wallet, spending: [number])
            guard case .bitcoinTransaction(let psbt) = order else { preconditionFailure("it is one") }
            try Data(psbt.encoded).write(to: URL(fileURLWithPath: "\(path)/in.psbt"))
            let injected = "\(call):\(fault):when=\(number)"
            let run = try Strace.run(
                command,
                [
                    "psbt", "sign", "w", "in.psbt", "-o", "\(path)/\(number).signed", "--with", "device,backup",
                    "--yes",
                    "--passphrase-file", "\(path)/passphrase",
                ], on: [home.bookPath(of: wallet.name)], injecting: injected)
            let book = try await WalletBook.open(
                of: wallet, in: home, passphrase: secret(WalletHomeFixture.passphrase), random: SystemRandom())
            let entry = await book.entry(try book.meaning(of: order).digest)
            await book.close()
            if FileManager.default.fileExists(atPath: "\(path)/\(number).signed") {
                #expect(entry?.state == .signed, "\(injected)")
            } else {
                #expect(!run.outcome.isSuccess, "\(injected)")
            }
            guard run.wasTampered else {
                #expect(run.outcome.isSuccess, "\(run.outcome.errors)")
                break
            }
        }
        #expect(number > 2, "the book is written before and after")
    }
}
