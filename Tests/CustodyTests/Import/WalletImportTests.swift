import Curves
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

extension WalletCreation {
    /// Runs an import at a fixed time, with the fixture's passphrase.
    func run(
        importing keys: consuming ImportedPrivateKeys, random: some RandomSource = SystemRandom(),
        progress: (Step) -> Void = { _ in }
    ) async throws(CustodyError) -> WalletRecord {
        try await run(
            importing: keys, passphrase: secret(WalletHomeFixture.passphrase), random: random, now: 1_700_000_000,
            progress: progress)
    }
}

@Suite("Making a wallet of imported keys")
struct WalletImportTests {
    private static let allFiles = [
        "backup/fueki-w-backup.vault", "home/wallets/w/device.vault", "home/wallets/w/wallet.json",
        "recovery/fueki-w-recovery.vault",
    ]

    private func keys() throws -> ImportedPrivateKeys { try ZeroMnemonic.keys(for: .bitcoin) }

    @Test("each share is in its place, is read back, and its copy of the description records the import")
    func files() async throws {
        let house = try WalletHomeFixture()
        var steps: [WalletCreation.Step] = []
        let wallet = try await house.creation().run(importing: try keys()) { steps.append($0) }
        let locations: [ShareLocation] = [.device, .backup, .recovery]
        #expect(steps == [.dealing] + locations.map { .sealing($0) } + locations.map { .readingBack($0) })
        #expect(house.plainFiles == Self.allFiles)
        let expected = try keys().imported
        #expect(wallet.imported == expected)
        #expect(try house.home.wallet(wallet.name) == wallet)
        for location in locations {
            let sealed = try await house.home.open(
                location, of: wallet, passphrase: secret(WalletHomeFixture.passphrase))
            #expect(sealed.record == wallet)
        }
        // No part of the keys is on the disk in the clear.
        for path in ["m/86'/1'/0'", "m/84'/1'/0'"] {
            let key = try ExtendedPrivateKey(seed: try ZeroMnemonic.seed()).derive(DerivationPath(path))
            let bytes = reveal(key.privateKey().encoded())
            for file in Self.allFiles {
                let stored = try house.bytes(file)
                #expect(!stored.contains(bytes), "\(file)")
            }
        }
    }

    @Test("an existing wallet, or a share in the way, is named before keys are dealt, and left untouched")
    func inTheWay() async throws {
        for file in Self.allFiles {
            let house = try WalletHomeFixture()
            try house.put([1, 2, 3], at: file)
            let before = house.files
            let creation = try house.creation()
            var steps = 0
            let keys = OneShot(try keys())
            let failure = await failure { () async throws(CustodyError) in
                guard let keys = keys.take() else { throw .unusablePath }
                return try await creation.run(importing: keys) { _ in steps += 1 }
            }
            let path = "\(house.path)/\(file)"
            #expect(
                failure == (file.hasSuffix("json") ? .walletExists(name: "w") : .shareFile(path: path, .inTheWay)))
            let after = house.files
            #expect(steps == 0 && after == before)
        }
    }

    @Test("a share that does not read back, and faulty random bytes, make no wallet and leave no file")
    func failures() async throws {
        let house = try WalletHomeFixture()
        let backup = "backup/fueki-w-backup.vault"
        let creation = try house.creation()
        let keys = OneShot(try keys())
        let failed = await failure { () async throws(CustodyError) in
            guard let keys = keys.take() else { throw .unusablePath }
            return try await creation.run(importing: keys) { step in
                guard step == .readingBack(.backup), let bytes = try? house.bytes(backup) else { return }
                try? house.put(bytes.flipping(100), at: backup)
            }
        }
        #expect(failed == .share(.backup, .unreadable(path: "\(house.path)/\(backup)", .damaged)))
        let (files, names) = (house.plainFiles, house.home.names())
        #expect(files == [] && names.isEmpty)

        let others = OneShot(try self.keys())
        let stuck = await failure { () async throws(CustodyError) in
            guard let keys = others.take() else { throw .unusablePath }
            return try await creation.run(importing: keys, random: LateFailure())
        }
        guard case .ceremony(.threshold(.sharing(.duplicateHostKey))) = stuck else {
            Issue.record("\(String(describing: stuck))")
            return
        }
        #expect(house.plainFiles == [])
    }

    @Test("a description with other chain codes opens no share, and neither does a share with another one beside it")
    func tampered() async throws {
        let house = try WalletHomeFixture()
        let wallet = try await house.creation().run(importing: try keys())
        let imported = try #require(wallet.imported)
        func with(_ imported: ImportedPublicKeys?) throws -> WalletRecord {
            let known = try WalletRecord.known(wallet.keys, imported: imported)
            return WalletRecord(
                name: wallet.name, network: wallet.network, createdAt: wallet.createdAt, epoch: 0, keys: wallet.keys,
                imported: imported, shares: known.shares
            ).with(
                sharesAt: Dictionary(wallet.shares.map { ($0.location, $0.path) }) { first, _ in first })
        }
        let other = try #require(KeyFingerprint("00000000"))
        for changed in [try with(ImportedPublicKeys(imported.account, master: other)), try with(nil)] {
            try FileManager.default.removeItem(atPath: house.home.recordPath(of: wallet.name))
            try house.home.write(changed)
            let read = try house.home.wallet(wallet.name)
            let path = try wallet.share(at: .device).path
            do {
                _ = try await house.home.open(.device, of: read, passphrase: secret(WalletHomeFixture.passphrase))
                Issue.record("opened")
            } catch { #expect(error == .share(.device, .foreign(path: path))) }
        }
    }

    @Test(
        "lost and found again: the description comes back from one share's file, with what was imported; and it is renewed"
    )
    func restoredAndRenewed() async throws {
        let house = try WalletHomeFixture()
        let wallet = try await house.creation().run(importing: try keys())
        try FileManager.default.removeItem(atPath: house.home.recordPath(of: wallet.name))
        let restored = try await WalletRestoration(name: wallet.name, home: house.home).run(
            files: [try wallet.share(at: .backup).path], passphrase: secret(WalletHomeFixture.passphrase))
        #expect(restored == wallet)
        let outcome = try await WalletRenewal(.refresh, of: wallet.name, in: house.home).run(
            passphrase: secret(WalletHomeFixture.passphrase), random: SystemRandom(), now: 1_700_000_001,
            progress: { _ in })
        #expect(outcome.wallet.epoch == 1 && outcome.wallet.imported == wallet.imported)
        #expect(outcome.wallet.walletID == wallet.walletID)
        let accounts = try house.home.wallet(wallet.name).accounts
        #expect(try accounts == wallet.accounts)
        let sealed = try await house.home.open(
            .recovery, of: outcome.wallet, passphrase: secret(WalletHomeFixture.passphrase))
        #expect(sealed.record == outcome.wallet)
    }
}
