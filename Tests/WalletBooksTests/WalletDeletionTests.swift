internal import Amounts
internal import Ethereum
import Foundation
internal import HDKeys
import Secrets
import SecureStorage
import TestSupport
import Testing
import Wallet

@testable import Ceremonies
@testable import CeremoniesTestSupport
@testable import Custody
@testable import CustodyTestSupport
@testable import WalletBooks

@Suite("Deleting a wallet from this machine")
struct WalletDeletionTests {
    private func open(_ wallet: WalletRecord, in house: borrowing WalletHomeFixture) async throws -> WalletBook {
        try await WalletBook.open(
            of: wallet, in: house.home, passphrase: secret(WalletHomeFixture.passphrase), random: SystemRandom())
    }

    /// The obstacles that prevented it; empty if it was deleted.
    private func obstacles(
        _ deletion: WalletDeletion, _ book: WalletBook, despite accepted: Set<DeletionObstacle> = []
    ) async throws -> [DeletionObstacle] {
        do throws(CustodyError) {
            try await deletion.run(holding: book, despite: accepted)
            return []
        } catch {
            guard case .notDeleted(let obstacles) = error else { throw error }
            return obstacles
        }
    }

    @Test("the wallet's folder goes; the shares elsewhere stay, and bring the wallet back")
    func whole() async throws {
        let house = try WalletHomeFixture()
        let wallet = try await house.creation().run()
        let other = try await house.creation("other").run()
        try await house.home.noteShown(0, in: .init(.taproot, .receive), of: wallet)
        let book = try await open(wallet, in: house)
        try await book.setPolicy(BookFixture.policy(BookFixture.daily("1 ETH@ethereum:1")))
        let deletion = WalletDeletion(of: wallet, in: house.home)
        #expect(deletion.removed == [.device])
        #expect(deletion.kept.map(\.location) == [.backup, .recovery] && deletion.kept.allSatisfy(\.isThere))
        #expect(try await deletion.obstacles(in: book) == [])
        #expect(try await obstacles(deletion, book) == [])

        #expect(house.home.names() == [other.name])
        #expect(!house.files.contains { $0.contains("wallets/w/") || $0.contains(".deleted") })
        #expect(deletion.kept.map(\.isThere) == [true, true])
        let again = try await WalletRestoration(name: wallet.name, home: house.home).run(
            files: deletion.kept.map(\.path), passphrase: secret(WalletHomeFixture.passphrase))
        #expect(again.walletID == wallet.walletID)
    }

    @Test("without enough shares elsewhere it is refused, unless that is named")
    func lastShares() async throws {
        let house = try WalletHomeFixture()
        let wallet = try await house.creation().run()
        try FileManager.default.removeItem(atPath: try wallet.share(at: .recovery).path)
        let book = try await open(wallet, in: house)
        let deletion = WalletDeletion(of: wallet, in: house.home)
        let few = DeletionObstacle.tooFewShares(there: 1, needed: 2)
        #expect(try await obstacles(deletion, book) == [few])
        #expect(try await obstacles(deletion, book, despite: [.tooFewShares(there: 0, needed: 2)]) == [few])
        #expect(try house.home.wallet(wallet.name) == wallet)
        #expect(try await obstacles(deletion, book, despite: [few]) == [])
        #expect(house.home.names().isEmpty)
    }

    @Test("payments on their way, untold results and proposals are obstacles, each with its number")
    func openPayments() async throws {
        let house = try WalletHomeFixture()
        let wallet = try await house.creation().run()
        let book = try await open(wallet, in: house)
        let order = OrderIdentity(
            key: nil, paying: [.init(.coin, amount: 5, to: .ethereum(Order.bob))], on: .ethereum(.ethereum), from: 0)
        for nonce in 0..<2 as Range<UInt64> {
            let payload = try Order.ether(1, nonce: nonce)
            let intent = try book.meaning(of: payload)
            try await book.admit(
                payload, meaning: intent, in: SigningContext(now: Order.noon, order: nonce == 0 ? order : nil))
            try await book.note(.signed(id: "0x\(nonce)", bytes: [1]), of: intent.digest)
        }
        let proposed = try Order.ether(2, nonce: 2)
        try await book.propose(proposed, digest: book.meaning(of: proposed).digest, now: Order.noon)

        let deletion = WalletDeletion(of: wallet, in: house.home)
        let found = try await obstacles(deletion, book)
        #expect(found == [.openPayments(2), .unacknowledged(1), .proposals(1)])
        // Fewer were seen than there are now.
        #expect(
            try await obstacles(deletion, book, despite: [.openPayments(1), .unacknowledged(1), .proposals(1)])
                == [.openPayments(2)])
        #expect(house.home.names() == [wallet.name])
        #expect(try await obstacles(deletion, book, despite: Set(found)) == [])
    }

    @Test("a file that is not the wallet's is not removed, and neither is the wallet then")
    func foreignFiles() async throws {
        let house = try WalletHomeFixture()
        let wallet = try await house.creation().run()
        // The share of another wallet, which somebody keeps here.
        try house.put([1, 2, 3], at: "home/wallets/w/fueki-other-backup.vault")
        let book = try await open(wallet, in: house)
        let foreign = DeletionObstacle.foreignFiles([
            "\(house.path)/home/wallets/w/fueki-other-backup.vault"
        ])
        let deletion = WalletDeletion(of: wallet, in: house.home)
        #expect(try await obstacles(deletion, book) == [foreign])
        #expect(try await obstacles(deletion, book, despite: [foreign]) == [foreign])
        #expect(try house.bytes("home/wallets/w/fueki-other-backup.vault") == [1, 2, 3])
        await book.close()
    }

    @Test("while a renewal runs it is refused, and nothing is changed")
    func renewal() async throws {
        let house = try WalletHomeFixture()
        let wallet = try await house.creation().run()
        let book = try await open(wallet, in: house)
        let before = house.plainFiles
        let lock = try house.home.lockRenewals(of: wallet.name)
        await #expect(throws: CustodyError.self) {
            try await WalletDeletion(of: wallet, in: house.home).run(holding: book, despite: [])
        }
        _ = consume lock
        #expect(house.plainFiles == before)
        await book.close()
    }

    @Test("the remains of an interrupted deletion are not a wallet, and are removed later")
    func remains() async throws {
        let house = try WalletHomeFixture()
        _ = try await house.creation().run()
        let wallets = "\(house.path)/home/wallets"
        try FileManager.default.moveItem(atPath: "\(wallets)/w", toPath: "\(wallets)/.w.deleted")
        // A link in it is not followed.
        try house.put([7], at: "precious/file")
        try FileManager.default.createSymbolicLink(
            atPath: "\(wallets)/.w.deleted/link", withDestinationPath: "\(house.path)/precious")
        #expect(house.home.names().isEmpty)
        #expect(try house.home.finishDeletions() == ["w"])
        #expect(try house.home.finishDeletions() == [])
        #expect(!house.files.contains { $0.contains(".deleted") })
        #expect(try house.bytes("precious/file") == [7])
    }

    @Test("what an interrupted deletion left of the settings goes with the rest, and a new wallet keeps its own")
    func interruptedSettings() async throws {
        let house = try WalletHomeFixture()
        _ = try await house.creation().run()
        try setUnits(["w", "other"], in: house)
        let wallets = "\(house.path)/home/wallets"
        try FileManager.default.moveItem(atPath: "\(wallets)/w", toPath: "\(wallets)/.w.deleted")
        #expect(try house.home.finishDeletions() == ["w"])
        #expect(try Settings.read(in: house.home).entries.map(\.name.text) == ["wallet.other.unit"])
        // A wallet that was made since has the name.
        _ = try await house.creation("other").run()
        try FileManager.default.createDirectory(
            atPath: "\(wallets)/.other.deleted", withIntermediateDirectories: false)
        #expect(try house.home.finishDeletions() == ["other"])
        #expect(try Settings.read(in: house.home).entries.map(\.name.text) == ["wallet.other.unit"])
    }

    @Test(
        "the settings of a deleted wallet go with it; if they cannot be read, the wallet goes, and the reason is told")
    func settings() async throws {
        let house = try WalletHomeFixture()
        let (first, second) = (try await house.creation().run(), try await house.creation("other").run())
        try setUnits(["w", "other"], in: house)
        let book = try await open(first, in: house)
        #expect(try await WalletDeletion(of: first, in: house.home).run(holding: book, despite: []) == nil)
        #expect(try Settings.read(in: house.home).entries.map(\.name.text) == ["wallet.other.unit"])

        let path = Settings.path(in: house.home)
        try "{".write(toFile: path, atomically: false, encoding: .utf8)
        let other = try await open(second, in: house)
        #expect(
            try await WalletDeletion(of: second, in: house.home).run(holding: other, despite: [])
                == .malformed(path: path, .notJSON))
        #expect(house.home.names().isEmpty && !house.files.contains { $0.contains(".deleted") })
    }

    @Test("a deletion removes the label, and its completion names it")
    func deleted() async throws {
        let house = try WalletHomeFixture()
        let wallet = try await house.creation().run()
        try house.home.rename(wallet.name, to: WalletName("house"))
        let book = try await open(wallet, in: house)
        let deletion = WalletDeletion(of: wallet, in: house.home)
        #expect(deletion.label?.description == "house")
        #expect(try await deletion.obstacles(in: book) == [])
        await book.close()
        try FileManager.default.moveItem(
            atPath: "\(house.path)/home/wallets/w", toPath: "\(house.path)/home/wallets/.w.deleted")
        let home = house.home
        #expect(throws: CustodyError.noSuchWallet(name: "house")) {
            try home.name(ofWalletCalled: try WalletName("house"))
        }
        #expect(try house.home.finishDeletions() == ["w", "house"])
        #expect(!house.files.contains { $0.contains("label") })
    }

    private func setUnits(_ wallets: [String], in house: borrowing WalletHomeFixture) throws {
        var settings = Settings()
        for name in wallets { try settings.set(.init(.unit, of: try WalletName(name)), "sat") }
        try settings.write(in: house.home)
    }
}
