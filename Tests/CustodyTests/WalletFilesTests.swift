import Curves
internal import Files
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

/// Changes of a wallet's files, and the resulting errors.
@Suite("A wallet's files")
struct WalletFilesTests {
    private func failure(
        opening location: ShareLocation, of wallet: WalletRecord, in house: borrowing WalletHomeFixture,
        passphrase: String = WalletHomeFixture.passphrase
    ) async -> CustodyError? {
        do {
            _ = try await house.home.open(location, of: wallet, passphrase: secret(passphrase))
            return nil
        } catch { return error }
    }

    /// Returns a share's file with one byte changed, and a corrected checksum.
    private func forged(_ bytes: [UInt8], at position: Int) -> [UInt8] {
        let body = Array(bytes.flipping(position).dropLast(32))
        return body + SHA256.hash(body)
    }

    @Test("share files of other places and other wallets are distinguished from the right ones")
    func swapped() async throws {
        let house = try WalletHomeFixture()
        let one = try await house.creation("one", of: 2).run()
        let two = try await house.creation("two", of: 2).run()
        let device = try one.share(at: .device).path
        let backup = try one.share(at: .backup).path
        let others = try two.share(at: .backup).path
        // Whether a changed wallet.json names it, or it replaces the right file: the opener sees the same.
        for (location, path) in [(ShareLocation.device, backup), (.backup, device), (.backup, others)] {
            let changed = one.with(sharesAt: [location: path])
            #expect(await failure(opening: location, of: changed, in: house) == .share(location, .foreign(path: path)))
        }
        // A wallet.json with another key, and the shares of the first.
        let false_ = WalletRecord(
            name: one.name, network: one.network, createdAt: one.createdAt, epoch: one.epoch, keys: two.keys,
            imported: nil,
            shares: two.shares
        ).with(sharesAt: [.device: device, .backup: backup])
        try FileManager.default.removeItem(atPath: house.home.recordPath(of: one.name))
        try house.home.write(false_)
        let read = try house.home.wallet(one.name)
        #expect(read.keys == two.keys)
        #expect(await failure(opening: .device, of: read, in: house) == .share(.device, .foreign(path: device)))
        // And one with another network.
        let elsewhere = WalletRecord(
            name: one.name, network: .mainnet, createdAt: one.createdAt, epoch: one.epoch, keys: one.keys,
            imported: nil,
            shares: one.shares)
        #expect(await failure(opening: .device, of: elsewhere, in: house) == .share(.device, .foreign(path: device)))
        #expect(await failure(opening: .device, of: one, in: house) == nil)
    }

    @Test("missing, truncated, changed, foreign and wrongly opened files are each reported as such")
    func damaged() async throws {
        let house = try WalletHomeFixture()
        let wallet = try await house.creation(of: 2).run()
        let file = "backup/fueki-w-backup.vault"
        let path = "\(house.path)/\(file)"
        let bytes = try house.bytes(file)
        func says(_ error: SecureStorageError) -> CustodyError { .share(.backup, .unreadable(path: path, error)) }
        func after(_ change: [UInt8]) async throws -> CustodyError? {
            try house.put(change, at: file)
            return await failure(opening: .backup, of: wallet, in: house)
        }

        #expect(
            await failure(opening: .backup, of: wallet, in: house, passphrase: "another one") == says(.wrongPassphrase))
        // The key is not derived: the form and the checksum are checked first.
        #expect(try await after([]) == says(.truncated))
        #expect(try await after(Array("no vault, but long enough to be one ".utf8)) == says(.notAVault))
        for count in [9, 13, 14, 45, 46, bytes.count / 2, bytes.count - 1] {
            #expect(try await after(Array(bytes.prefix(count))) == says(.truncated), "\(count)")
        }
        var said: Set<String> = []
        for position in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 400)) {
            let failure = try await after(bytes.flipping(position))
            guard case .share(.backup, .unreadable(path, let error)) = failure else {
                Issue.record("byte \(position): \(String(describing: failure))")
                continue
            }
            said.insert("\(error)")
        }
        #expect(said.count >= 2)
        // With a corrected checksum, the ciphertext does not open.
        for position in [bytes.count / 2, bytes.count - 40] {
            let failure = try await after(forged(bytes, at: position))
            guard case .share(.backup, .unreadable(path, .tampered)) = failure else {
                Issue.record("byte \(position): \(String(describing: failure))")
                continue
            }
        }
        // A link is not followed, and a folder is not a file.
        try house.put(bytes, at: "elsewhere")
        try FileManager.default.removeItem(atPath: path)
        #expect(
            await failure(opening: .backup, of: wallet, in: house)
                == .share(.backup, .missing(path: path, place: .folderIsThere)))
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "\(house.path)/elsewhere")
        #expect(await failure(opening: .backup, of: wallet, in: house) == says(.insecureFile))
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        #expect(await failure(opening: .backup, of: wallet, in: house) == says(.insecureFile))
        try FileManager.default.removeItem(atPath: path)
        try house.put(bytes, at: file)
        #expect(await failure(opening: .backup, of: wallet, in: house) == nil)
        #expect(await failure(opening: .recovery, of: wallet, in: house) == .noSuchShare(name: "recovery"))
    }

    @Test("wallets are listed by name; a folder without a description is left out")
    func names() throws {
        let house = try WalletHomeFixture()
        #expect(house.home.names().isEmpty)
        for name in ["zoo", "alpha", "Beta.2"] { try house.put([], at: "home/wallets/\(name)/wallet.json") }
        try house.put([], at: "home/wallets/half/device.vault")
        try house.put([], at: "home/wallets/.hidden/wallet.json")
        try house.put([], at: "home/wallets/stray.json")
        #expect(house.home.names().map(\.description) == ["Beta.2", "alpha", "zoo"])
    }

    @Test("a missing or damaged description, or another kind of file, is reported as such; none is ever replaced")
    func descriptions() throws {
        let house = try WalletHomeFixture()
        let record = try KnownWallet().record
        let name = record.name
        #expect(throws: CustodyError.noSuchWallet(name: "known")) { try house.home.wallet(name) }
        try house.put([1, 2, 3], at: "home/wallets/known/wallet.json")
        #expect(throws: CustodyError.damagedWallet(name: "known", reason: "it is not a wallet's description")) {
            try house.home.wallet(name)
        }
        #expect(throws: CustodyError.walletExists(name: "known")) { try house.home.write(record) }
        #expect(try house.bytes("home/wallets/known/wallet.json") == [1, 2, 3])
        try house.put(
            [UInt8](repeating: 0x20, count: Limits.walletRecordSize + 1), at: "home/wallets/known/wallet.json")
        #expect(throws: CustodyError.file(.outsideLimits(.size))) { try house.home.wallet(name) }
        let path = "\(house.path)/home/wallets/known/wallet.json"
        try FileManager.default.removeItem(atPath: path)
        try house.home.write(record)
        #expect(try house.home.wallet(name) == record)
        #expect(try house.mode("home/wallets/known/wallet.json") == 0o600)
        try FileManager.default.moveItem(atPath: path, toPath: "\(house.path)/moved")
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "\(house.path)/moved")
        #expect(throws: CustodyError.file(.insecureFile)) { try house.home.wallet(name) }
    }
}
