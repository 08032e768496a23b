import Foundation
import Secrets
import SecureStorage
import TestSupport
import Testing

@testable import CeremoniesTestSupport
@testable import Custody
@testable import CustodyTestSupport

@Suite("Creations that were interrupted")
struct UnfinishedCreationTests {
    private static let shares = [
        "backup/fueki-w-backup.vault", "home/wallets/w/device.vault", "recovery/fueki-w-recovery.vault",
    ]
    private static let mark = "home/wallets/w/creation.json"

    /// Leaves what a creation leaves that is killed before its last step, which is the renaming of this file.
    private func interrupt(_ house: borrowing WalletHomeFixture) async throws {
        _ = try await house.creation().run()
        try FileManager.default.moveItem(
            atPath: "\(house.path)/home/wallets/w/wallet.json", toPath: "\(house.path)/\(Self.mark)")
    }

    @Test("it is no wallet, and is named as unfinished")
    func named() async throws {
        let house = try WalletHomeFixture()
        try await interrupt(house)
        let name = try WalletName("w")
        #expect(house.home.names().isEmpty)
        #expect(house.home.unfinishedNames() == [name])
        #expect(throws: CustodyError.unfinishedCreation(name: "w")) { try house.home.wallet(name) }
        #expect(try house.home.unfinishedCreation(of: WalletName("other")) == nil)
    }

    @Test("clearing it removes every file that it made, and the remains of its writes")
    func clear() async throws {
        let house = try WalletHomeFixture()
        try await interrupt(house)
        try house.put([1], at: "backup/.fueki-w-backup.vault.tmp")
        try FileManager.default.removeItem(atPath: "\(house.path)/\(Self.shares[0])")
        let unfinished = try #require(try house.home.unfinishedCreation(of: WalletName("w")))
        #expect(try unfinished.clear().isEmpty)
        #expect(house.plainFiles.isEmpty)
        #expect(house.home.unfinishedNames().isEmpty)
    }

    @Test("a file of the same name that this creation did not make stays: it may be the share of a real wallet")
    func foreign() async throws {
        let house = try WalletHomeFixture()
        let other = try WalletHomeFixture()
        try await interrupt(house)
        _ = try await other.creation().run()
        let real = try other.bytes(Self.shares[0])
        try house.put(real, at: Self.shares[0])
        try house.put([1, 2, 3], at: Self.shares[2])
        // Neither a new creation nor the deletion takes it for its own.
        let creation = try house.creation()
        #expect(throws: CustodyError.shareFile(path: "\(house.path)/\(Self.shares[0])", .inTheWay)) {
            try creation.check()
        }
        let unfinished = try #require(try house.home.unfinishedCreation(of: WalletName("w")))
        try unfinished.clear()
        #expect(house.plainFiles == [Self.shares[0], Self.shares[2]])
        #expect(try house.bytes(Self.shares[0]) == real)
    }

    @Test("the same creation makes the wallet, wherever the shares go this time", arguments: [false, true])
    func again(elsewhere: Bool) async throws {
        let house = try WalletHomeFixture()
        try await interrupt(house)
        let before = try house.bytes(Self.shares[1])
        let places = SharePlaces(
            backup: "\(house.path)/\(elsewhere ? "backup-2" : "backup")", recovery: "\(house.path)/recovery")
        let wallet = try await house.creation(places: places).run()
        #expect(try house.home.wallet(wallet.name) == wallet)
        #expect(house.home.unfinishedNames().isEmpty)
        #expect(try house.bytes(Self.shares[1]) != before)
        #expect(!elsewhere || !house.plainFiles.contains(Self.shares[0]))
        #expect(house.plainFiles.count == 4, "\(house.plainFiles)")
    }

    @Test("a share whose place is not connected is named")
    func away() async throws {
        let house = try WalletHomeFixture()
        try await interrupt(house)
        try FileManager.default.removeItem(atPath: "\(house.path)/backup")
        let unfinished = try #require(try house.home.unfinishedCreation(of: WalletName("w")))
        #expect(try unfinished.clear().map(\.location) == [.backup])
        #expect(house.plainFiles.isEmpty)
    }

    @Test("while the creation runs, its files are not removed")
    func running() async throws {
        let house = try WalletHomeFixture()
        try await interrupt(house)
        let unfinished = try #require(try house.home.unfinishedCreation(of: WalletName("w")))
        let lock = try house.home.lockRenewals(of: WalletName("w"))
        let expected = CustodyError.renewal(.running(name: "w", processID: getpid()))
        #expect(throws: expected) { try unfinished.clear() }
        #expect(house.plainFiles.contains(Self.shares[1]))
        _ = consume lock
    }

    @Test("a wallet that exists is never unfinished, and restoring one from such a share ends the creation")
    func wallet() async throws {
        let house = try WalletHomeFixture()
        try await interrupt(house)
        let name = try WalletName("w")
        let restored = try await WalletRestoration(name: name, home: house.home).run(
            files: ["\(house.path)/\(Self.shares[0])"], passphrase: secret(WalletHomeFixture.passphrase))
        #expect(try house.home.wallet(name) == restored)
        #expect(!house.plainFiles.contains(Self.mark))
        // A copy of the mark beside its description changes nothing.
        let record = try house.bytes("home/wallets/w/wallet.json")
        try house.put(record, at: Self.mark)
        #expect(house.home.unfinishedNames().isEmpty)
        #expect(try house.home.unfinishedCreation(of: name) == nil)
    }

    @Test("a description without the ids of vaults names no file of its own")
    func withoutIDs() async throws {
        let house = try WalletHomeFixture()
        let wallet = try await house.creation().run()
        try FileManager.default.removeItem(atPath: "\(house.path)/home/wallets/w/wallet.json")
        try house.put(try wallet.encoded, at: Self.mark)
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o600], ofItemAtPath: "\(house.path)/\(Self.mark)")
        let unfinished = try #require(try house.home.unfinishedCreation(of: wallet.name))
        try unfinished.clear()
        #expect(house.plainFiles == Self.shares)
    }
}
