import Foundation
import HDKeys
import Secrets
import SecureStorage
import TestSupport
import Testing
import Threshold
import Wallet

import class SecretStoreTestSupport.ChipDouble

@testable import AuditLog
@testable import CeremoniesTestSupport
@testable import Custody
@testable import CustodyTestSupport
@testable import WalletBooks

@Suite("Changing the passphrase of a wallet with its book")
struct PassphraseTests {
    private static let old = WalletHomeFixture.passphrase
    private static let new = "five other words, all of them new"

    private func open(
        _ wallet: WalletRecord, in house: borrowing WalletHomeFixture, _ passphrase: String = old
    ) async throws(CustodyError) -> WalletBook {
        try await WalletBook.open(
            of: wallet, in: house.home, passphrase: secret(passphrase), random: SystemRandom())
    }

    @discardableResult
    private func change(
        _ wallet: WalletRecord, in house: borrowing WalletHomeFixture, from old: String = old, to new: String = new,
        progress: (PassphraseChange.Step) -> Void = { _ in }
    ) async throws(CustodyError) -> PassphraseChange.Outcome {
        try await house.home.changePassphrase(
            of: wallet, from: secret(old), to: secret(new), random: SystemRandom(), now: 50, progress: progress)
    }

    /// The acts of this kind in the log, which is sound, with their stages.
    private func stages(of book: WalletBook) async throws -> [WalletEvent.Stage] {
        let log = try #require(try await book.walletLog())
        let stages = Stages()
        let report = try log.report { _, record in
            guard case .wallet(let event) = record.event, event.act == .passphraseChange else { return }
            stages.all.append(event.stage)
        }
        #expect(report.findings == [])
        return stages.all
    }

    private final class Stages { var all: [WalletEvent.Stage] = [] }

    private func opens(_ path: String, _ passphrase: String) -> Bool {
        (try? VaultFile.openReadOnly(at: path, passphrase: secret(passphrase), freshness: .unchecked)) != nil
    }

    private func refused(_ wallet: WalletRecord, in house: borrowing WalletHomeFixture) -> CustodyError {
        .book(.unreadable(path: house.home.bookPath(of: wallet.name), .wrongPassphrase))
    }

    @Test("the book keeps its policy, contacts, history and proposals, and its log has the change before and after it")
    func keeps() async throws {
        let house = try WalletHomeFixture()
        let wallet = try await house.creation().run()
        let policy = BookFixture.policy(#"{"name": "all", "then": "allow"}"#)
        let book = try await open(wallet, in: house)
        try await book.setPolicy(policy)
        try await book.add(try Contact(name: "Bob", party: .ethereum(Order.bob)))
        let digest = try await book.admit(try Order.ether(1, nonce: 0))
        try await book.note(.signed(id: "0xab", bytes: [1, 2, 3]), of: digest)
        let waiting = try Order.ether(2, nonce: 1)
        try await book.propose(waiting, digest: try book.meaning(of: waiting).digest, now: Order.noon)
        let (history, proposals) = (await book.history(), await book.proposals())
        await book.close()

        let outcome = try await change(wallet, in: house)
        #expect(outcome.changed == wallet.shares.map { .share($0.location) } + [.book])
        #expect(outcome.behind.isEmpty)
        await #expect(throws: refused(wallet, in: house)) { try await open(wallet, in: house) }
        let again = try await open(wallet, in: house, Self.new)
        #expect(await again.policyFile() == policy)
        #expect(await again.contacts().map(\.name) == ["Bob"])
        #expect(await again.history() == history)
        #expect(await again.proposals() == proposals)
        #expect(try await stages(of: again) == [.admitted, .completed])
        // The log goes on under its keys.
        try await again.admit(try Order.ether(3, nonce: 2))
        #expect(try await stages(of: again) == [.admitted, .completed])
        await again.close()
        for share in wallet.shares { #expect(opens(share.path, Self.new) && !opens(share.path, Self.old)) }
    }

    @Test("a wallet without a book gets one, under the new passphrase")
    func withoutBook() async throws {
        let house = try WalletHomeFixture()
        let wallet = try await house.creation("w", 2, of: 2).run()
        try await change(wallet, in: house)
        let path = house.home.bookPath(of: wallet.name)
        #expect(opens(path, Self.new) && !opens(path, Self.old))
        // And one whose shares have the new passphrase already: nothing is left to do, and no book is made.
        let other = try await house.creation(
            "other", 2, of: 2, places: SharePlaces(backup: "\(house.path)/other", recovery: nil)
        ).run()
        #expect(try await change(other, in: house, from: "a mistyped one", to: Self.old).changed.isEmpty)
        #expect(!house.home.hasBook(of: other.name))
    }

    @Test("without a book a mistyped passphrase costs no attempt of the chip, because another share refuses it first")
    func mistypedWithoutBook() async throws {
        let house = try WalletHomeFixture()
        let home = WalletHome(path: "\(house.path)/home", device: ChipDouble(attempts: 5))
        let wallet = try await WalletCreation(
            name: try WalletName("w"), network: .regtest, parameters: try ThresholdParameters(threshold: 2, total: 3),
            places: house.places, home: home, bindsDeviceShare: true
        ).run()
        await #expect(throws: CustodyError.share(.backup, .unreadable(path: wallet.shares[1].path, .wrongPassphrase))) {
            try await home.changePassphrase(
                of: wallet, from: secret("mistyped passphrase"), to: secret(Self.new), random: SystemRandom(), now: 50,
                progress: { _ in })
        }
        // The first wrong attempt of all.
        await #expect(
            throws: CustodyError.share(
                .device,
                .unreadable(path: wallet.shares[0].path, .backend(.tpm, .authenticationFailed(attemptsLeft: 4))))
        ) { _ = try await home.open(.device, of: wallet, passphrase: secret("mistyped passphrase")) }
    }

    @Test("a mistyped passphrase is that of the book, and nothing is changed")
    func mistyped() async throws {
        let house = try WalletHomeFixture()
        let wallet = try await house.creation("w", 2, of: 2).run()
        let book = try await open(wallet, in: house)
        try await book.log(.creation)
        await book.close()
        let bytes = try wallet.shares.map { try house.bytes(String($0.path.dropFirst(house.path.count + 1))) }
        await #expect(throws: refused(wallet, in: house)) {
            try await change(wallet, in: house, from: "mistyped passphrase")
        }
        #expect(try wallet.shares.map { try house.bytes(String($0.path.dropFirst(house.path.count + 1))) } == bytes)
        await #expect(throws: CustodyError.passphraseChange(.same)) {
            try await change(wallet, in: house, from: Self.old, to: Self.old)
        }
        let again = try await open(wallet, in: house)
        #expect(try await stages(of: again) == [])
        await again.close()
    }

    @Test("without its log nothing is changed")
    func withoutLog() async throws {
        let house = try WalletHomeFixture()
        let wallet = try await house.creation("w", 2, of: 2).run()
        let book = try await open(wallet, in: house)
        try await book.log(.creation)
        let folder = try #require(try await book.walletLog()).folder
        await book.close()
        try FileManager.default.removeItem(atPath: folder)
        await #expect(throws: CustodyError.log(path: folder, .notFound)) { try await change(wallet, in: house) }
        for path in wallet.shares.map(\.path) + [house.home.bookPath(of: wallet.name)] {
            #expect(opens(path, Self.old) && !opens(path, Self.new))
        }
    }

    @Test("while the book is open elsewhere nothing is changed")
    func busy() async throws {
        let house = try WalletHomeFixture()
        let wallet = try await house.creation("w", 2, of: 2).run()
        let book = try await open(wallet, in: house)
        try await book.log(.creation)
        do throws(CustodyError) {
            try await change(wallet, in: house)
            Issue.record("it was changed")
        } catch { #expect(error.isBusy) }
        await book.close()
        for share in wallet.shares { #expect(opens(share.path, Self.old) && !opens(share.path, Self.new)) }
    }

    @Test("an interruption is in the log as unclear, either passphrase continues, and the end is in the log")
    func interrupted() async throws {
        let house = try WalletHomeFixture()
        let wallet = try await house.creation("w", 2, of: 2).run()
        let path = wallet.shares[1].path
        // A folder in the place of the temporary file: the write fails.
        let obstacle = house.path + "/backup/." + (path.split(separator: "/").last ?? "") + ".tmp"
        do throws(CustodyError) {
            try await change(wallet, in: house) { step in
                guard step == .sealing(.share(.backup)) else { return }
                try? FileManager.default.createDirectory(atPath: obstacle, withIntermediateDirectories: false)
            }
            Issue.record("nothing failed")
        } catch {
            guard case .passphraseChange(.interrupted(path, _)) = error else { throw error }
        }
        try FileManager.default.removeItem(atPath: obstacle)
        let bookPath = house.home.bookPath(of: wallet.name)
        #expect(house.home.passphraseCondition(of: wallet).interrupted == [path, bookPath])
        for file in wallet.shares.map(\.path) + [bookPath] { #expect(opens(file, Self.new)) }
        // The book opens with both, and the share of this machine with the new one.
        await (try await open(wallet, in: house)).close()
        #expect(try await change(wallet, in: house).changed == [.share(.backup), .book])
        let again = try await open(wallet, in: house, Self.new)
        #expect(try await stages(of: again) == [.admitted, .unclear, .admitted, .completed])
        await again.close()
        #expect(!opens(bookPath, Self.old) && !opens(path, Self.old))
    }

    @Test("a copy of the book from before the change is refused, with either passphrase")
    func olderBook() async throws {
        let house = try WalletHomeFixture()
        let wallet = try await house.creation("w", 2, of: 2).run()
        let book = try await open(wallet, in: house)
        try await book.log(.creation)
        await book.close()
        let path = house.home.bookPath(of: wallet.name)
        let copy = try bytes(of: path)
        try await change(wallet, in: house)
        try overwrite(path, with: copy)
        do throws(CustodyError) {
            _ = try await open(wallet, in: house)
            Issue.record("it was opened")
        } catch {
            guard case .book(.unreadable(path, .rolledBack)) = error else { throw error }
        }
        await #expect(throws: refused(wallet, in: house)) { try await open(wallet, in: house, Self.new) }
    }

    @Test("a book is made although the first share was not reached by a change; a mistyped passphrase makes none")
    func provenByOthers() async throws {
        let house = try WalletHomeFixture()
        let wallet = try await house.creation().run()
        let path = wallet.shares[0].path
        try FileManager.default.moveItem(atPath: path, toPath: "\(house.path)/away")
        try await change(wallet, in: house)
        try FileManager.default.moveItem(atPath: "\(house.path)/away", toPath: path)
        try FileManager.default.removeItem(atPath: house.home.bookPath(of: wallet.name))
        try FileManager.default.removeItem(atPath: house.home.bookRollbackGuard(of: wallet.name))
        let mistyped = try await open(wallet, in: house, "mistyped passphrase")
        await #expect(
            throws: CustodyError.share(.backup, .unreadable(path: wallet.shares[1].path, .wrongPassphrase))
        ) { try await mistyped.add(try Contact(name: "Bob", party: .ethereum(Order.bob))) }
        await mistyped.close()
        let book = try await open(wallet, in: house, Self.new)
        try await book.add(try Contact(name: "Bob", party: .ethereum(Order.bob)))
        await book.close()
        #expect(opens(house.home.bookPath(of: wallet.name), Self.new))
    }

    @Test("the list of shares that were not reached is the wallet's own file, and goes with the wallet")
    func deletion() async throws {
        let house = try WalletHomeFixture()
        let wallet = try await house.creation("w", 2, of: 4).run()
        try FileManager.default.moveItem(atPath: wallet.shares[3].path, toPath: "\(house.path)/away")
        try await change(wallet, in: house)
        #expect(house.plainFiles.contains("home/wallets/w/passphrase.json"))
        let book = try await open(wallet, in: house, Self.new)
        let deletion = WalletDeletion(of: wallet, in: house.home)
        #expect(try await deletion.obstacles(in: book) == [])
        try await deletion.run(holding: book, despite: [])
        #expect(!house.files.contains { $0.contains("wallets/w/") })
        // The wallet comes back without the list.
        let again = try await WalletRestoration(name: wallet.name, home: house.home).run(
            files: [wallet.shares[1].path, wallet.shares[2].path], passphrase: secret(Self.new))
        #expect(house.home.passphraseCondition(of: again).behind.isEmpty)
    }

    @Test("a wallet that is restored from shares with two passphrases gets one again")
    func twoPassphrases() async throws {
        let house = try WalletHomeFixture()
        let wallet = try await house.creation().run()
        let (backup, recovery) = (wallet.shares[1].path, wallet.shares[2].path)
        try FileManager.default.moveItem(atPath: recovery, toPath: "\(house.path)/away")
        try await change(wallet, in: house)
        try FileManager.default.moveItem(atPath: "\(house.path)/away", toPath: recovery)
        // The machine is lost, with its share, its book, and the list.
        try FileManager.default.removeItem(atPath: "\(house.path)/home")
        let restoration = WalletRestoration(name: wallet.name, home: house.home)
        _ = try await restoration.run(files: [backup], passphrase: secret(Self.new))
        let book = try await open(wallet, in: house, Self.new)
        try await book.log(.restoration)
        await book.close()
        let restored = try await restoration.run(files: [recovery], passphrase: secret(Self.old))
        let outcome = try await change(restored, in: house)
        #expect(outcome.changed == [.share(.recovery)])
        for path in [backup, recovery, house.home.bookPath(of: wallet.name)] {
            #expect(opens(path, Self.new) && !opens(path, Self.old))
        }
    }
}
