import Files
import Foundation
import HDKeys
import Secrets
import SecureStorage
import TestSupport
import Testing
import Threshold

import class SecretStoreTestSupport.ChipDouble

@testable import Ceremonies
@testable import CeremoniesTestSupport
@testable import Custody
@testable import CustodyTestSupport

@Suite("Changing the passphrase of a wallet's files")
struct PassphraseChangeTests {
    static let old = WalletHomeFixture.passphrase
    static let new = "five other words, all of them new"

    private let chip = ChipDouble(attempts: 5)

    /// A vault in place of the wallet's book.
    private actor Book: PassphraseHolder {
        nonisolated let path: String
        nonisolated let opener: PassphraseOpener
        nonisolated let slotCount: Int
        private let vault: VaultFile
        private(set) var admissions = 0
        private(set) var readings = 0
        private let refusal: CustodyError?

        init(at path: String, _ old: String, _ new: String, refusal: CustodyError? = nil) async throws {
            self.path = path
            self.refusal = refusal
            if !FileManager.default.fileExists(atPath: path) {
                await
                    (try VaultFile.create(
                        at: path, passphrase: secret(old), freshness: .unchecked, random: SystemRandom())).close()
            }
            slotCount = try VaultFile.head(ofFileAt: path).slotCount
            let opening = [old, new].filter { PassphraseChangeTests.opens(path, $0) }
            let first = try #require(opening.first)
            opener = opening.count == 2 ? .both : first == new ? .new : .old
            vault = try VaultFile.open(
                at: path, passphrase: secret(first), freshness: .unchecked, random: SystemRandom())
        }

        func admit() throws(CustodyError) {
            if let refusal { throw refusal }
            admissions += 1
        }
        func add(_ passphrase: borrowing SecretBytes) async throws(SecureStorageError) {
            try await vault.addPassphrase(passphrase)
        }
        func readBack(_ passphrase: borrowing SecretBytes) async throws(SecureStorageError) {
            readings += 1
            await (try VaultFile.openReadOnly(at: path, passphrase: passphrase, freshness: .unchecked)).close()
        }
        func rekey(to passphrase: borrowing SecretBytes) async throws(SecureStorageError) {
            try await vault.rekey(to: passphrase)
        }
        func close() async { await vault.close() }
    }

    static func opens(_ path: String, _ passphrase: String, device: (any DeviceSealer)? = nil) -> Bool {
        (try? VaultFile.openReadOnly(
            at: path, passphrase: secret(passphrase), device: device, freshness: .unchecked)) != nil
    }

    @discardableResult
    private func change(
        _ wallet: WalletRecord, in home: WalletHome, from old: String = old, to new: String = new, now: Int64 = 50,
        refusal: CustodyError? = nil, progress: (PassphraseChange.Step) -> Void = { _ in }
    ) async throws -> PassphraseChange.Outcome {
        let book = try await Book(at: home.bookPath(of: wallet.name), old, new, refusal: refusal)
        let result: Result<PassphraseChange.Outcome, CustodyError>
        do throws(CustodyError) {
            result = .success(
                try await PassphraseChange(of: wallet.name, in: home).run(
                    from: secret(old), to: secret(new), book: book, random: SystemRandom(), now: now,
                    progress: progress))
        } catch { result = .failure(error) }
        await book.close()
        return try result.get()
    }

    /// Checks that exactly one of two passphrases opens each file, and that the shares are whole.
    private func check(
        _ wallet: WalletRecord, in home: WalletHome, opensWith passphrase: String = new, not other: String = old,
        but excepted: [ShareLocation] = []
    ) async throws {
        for share in wallet.shares where !excepted.contains(share.location) {
            let sealed = try await home.open(share.location, of: wallet, passphrase: secret(passphrase))
            #expect(sealed.record == wallet)
            if share.device == nil { #expect(!Self.opens(share.path, other), "\(share.path)") }
            #expect(try VaultFile.head(ofFileAt: share.path).slotCount == 1)
        }
        #expect(Self.opens(home.bookPath(of: wallet.name), passphrase))
        #expect(!Self.opens(home.bookPath(of: wallet.name), other))
    }

    private func backlog(_ wallet: WalletRecord, in home: WalletHome) throws -> [ShareLocation: Int64] {
        Dictionary(try home.passphraseBacklog(of: wallet.name).entries.map { ($0.location, $0.since) }) { $1 }
    }

    @Test(
        "every file opens with the new passphrase alone, keeps its id and share, and no list is left",
        arguments: [3, 5])
    func changes(total: Int) async throws {
        let house = try WalletHomeFixture()
        let wallet = try await house.creation("w", 2, of: total).run()
        let ids = try wallet.shares.map { try VaultFile.head(ofFileAt: $0.path).id }
        var steps: [PassphraseChange.Step] = []
        let outcome = try await change(wallet, in: house.home) { steps.append($0) }
        let files = wallet.shares.map { PassphraseFile.share($0.location) }
        #expect(outcome == PassphraseChange.Outcome(changed: files + [.book], behind: []))
        #expect(
            steps == files.map { .opening($0) } + (files + [.book]).map { .adding($0) }
                + (files + [.book]).map { .readingBack($0) } + (files + [.book]).map { .sealing($0) })
        try await check(wallet, in: house.home)
        #expect(try wallet.shares.map { try VaultFile.head(ofFileAt: $0.path).id } == ids)
        #expect(house.plainFiles.filter { $0.hasSuffix("passphrase.json") || $0.hasSuffix(".lock") } == [])
        #expect(try house.home.wallet(wallet.name) == wallet)
        // Again: nothing is left to do.
        #expect(try await change(wallet, in: house.home) == PassphraseChange.Outcome(changed: [], behind: []))
    }

    @Test("a file is read back after each of its two writes")
    func readsBack() async throws {
        let house = try WalletHomeFixture()
        let wallet = try await house.creation("w", 2, of: 2).run()
        let book = try await Book(at: house.home.bookPath(of: wallet.name), Self.old, Self.new)
        _ = try await PassphraseChange(of: wallet.name, in: house.home).run(
            from: secret(Self.old), to: secret(Self.new), book: book, random: SystemRandom(), now: 50,
            progress: { _ in })
        #expect(await book.readings == 2)
        await book.close()
    }

    @Test("the shares sign ECDSA after the change, with the counts from before")
    func counts() async throws {
        let house = try WalletHomeFixture()
        let wallet = try await house.creation("w", 2, of: 2).run()
        let before = try await ShareFile.open(
            .device, of: wallet, in: house.home, passphrase: secret(Self.old), random: SystemRandom())
        try await before.ban(try ParticipantIndex(2))
        await before.close()
        try await change(wallet, in: house.home)
        let counts = try await house.home.check(.device, of: wallet, passphrase: secret(Self.new))
        #expect(counts?.banned == [try ParticipantIndex(2)])
        let after = try await ShareFile.open(
            .device, of: wallet, in: house.home, passphrase: secret(Self.new), random: SystemRandom())
        await after.close()
    }

    @Test("a renewal goes on with the new passphrase")
    func renewal() async throws {
        let house = try WalletHomeFixture()
        let wallet = try await house.creation("w", 2, of: 2).run()
        try await change(wallet, in: house.home)
        let outcome = try await WalletRenewal(.refresh, of: wallet.name, in: house.home).run(
            passphrase: secret(Self.new), random: SystemRandom(), now: 60, progress: { _ in })
        #expect(outcome.remaining.isEmpty)
        try await check(outcome.wallet, in: house.home)
    }

    @Test("a mistyped passphrase, a flawed new one, and the present one as the new one change nothing")
    func refused() async throws {
        let house = try WalletHomeFixture()
        let wallet = try await house.creation("w", 2, of: 2).run()
        try await change(wallet, in: house.home)
        let before = house.plainFiles
        let bytes = try before.map { try house.bytes($0) }
        await #expect(throws: CustodyError.passphraseChange(.neither(path: wallet.shares[0].path))) {
            // The book opens with the "new" one, the shares do not.
            let path = house.home.bookPath(of: wallet.name)
            let book = try await Book(at: path, "x", Self.new)
            defer { withExtendedLifetime(book) {} }
            _ = try await PassphraseChange(of: wallet.name, in: house.home).run(
                from: secret("mistyped"), to: secret("another one"), book: book, random: SystemRandom(), now: 1
            ) { _ in }
        }
        await #expect(throws: CustodyError.unusablePassphrase(.outerSpace)) {
            try await change(wallet, in: house.home, from: Self.new, to: "ends with a space ")
        }
        await #expect(throws: CustodyError.passphraseChange(.same)) {
            try await change(wallet, in: house.home, from: Self.new, to: Self.new)
        }
        #expect(house.plainFiles == before)
        #expect(try before.map { try house.bytes($0) } == bytes)
    }

    @Test("a change that cannot be logged changes nothing")
    func unlogged() async throws {
        let house = try WalletHomeFixture()
        let wallet = try await house.creation("w", 2, of: 2).run()
        let refusal = CustodyError.badProposal
        await #expect(throws: refusal) { try await change(wallet, in: house.home, refusal: refusal) }
        try await check(wallet, in: house.home, opensWith: Self.old, not: Self.new)
        #expect(!house.plainFiles.contains { $0.hasSuffix("passphrase.json") })
    }

    // MARK: Chips

    @Test("a share that needs the chip needs it afterwards, and no passphrase that is right costs an attempt")
    func boundShare() async throws {
        let house = try WalletHomeFixture()
        let home = WalletHome(path: "\(house.path)/home", device: chip)
        let wallet = try await WalletCreation(
            name: try WalletName("w"), network: .regtest, parameters: try ThresholdParameters(threshold: 2, total: 3),
            places: house.places, home: home, bindsDeviceShare: true
        ).run()
        try await change(wallet, in: home)
        try await check(wallet, in: home)
        #expect(wallet.shares[0].device == .tpm)
        #expect(!Self.opens(wallet.shares[0].path, Self.new))
        // The first wrong attempt of all.
        await #expect(
            throws: CustodyError.share(
                .device,
                .unreadable(path: wallet.shares[0].path, .backend(.tpm, .authenticationFailed(attemptsLeft: 4))))
        ) { _ = try await home.open(.device, of: wallet, passphrase: secret(Self.old)) }
        // A second run tries the new passphrase first.
        #expect(try await change(wallet, in: home).changed.isEmpty)
        await #expect(
            throws: CustodyError.share(
                .device,
                .unreadable(path: wallet.shares[0].path, .backend(.tpm, .authenticationFailed(attemptsLeft: 3))))
        ) { _ = try await home.open(.device, of: wallet, passphrase: secret(Self.old)) }
    }

    @Test("a chip that fails leaves every file with the old passphrase, and the same change completes it")
    func chipFails() async throws {
        let house = try WalletHomeFixture()
        let home = WalletHome(path: "\(house.path)/home", device: chip)
        let wallet = try await WalletCreation(
            name: try WalletName("w"), network: .regtest, parameters: try ThresholdParameters(threshold: 2, total: 3),
            places: house.places, home: home, bindsDeviceShare: true
        ).run()
        await #expect(
            throws: CustodyError.passphraseChange(
                .interrupted(path: wallet.shares[0].path, .backend(.tpm, .timedOut)))
        ) {
            try await change(wallet, in: home) { step in
                if step == .sealing(.share(.device)) { chip.fail(with: .timedOut) }
            }
        }
        chip.fail(with: nil)
        for share in wallet.shares { #expect(Self.opens(share.path, Self.old, device: chip)) }
        #expect(home.passphraseCondition(of: wallet).interrupted.count == 3)
        try await change(wallet, in: home)
        try await check(wallet, in: home)
        #expect(home.passphraseCondition(of: wallet).interrupted.isEmpty)
    }

    // MARK: Files that are not reached

    @Test("a missing share is listed with the time of the first change, keeps its passphrase, and is changed later")
    func away() async throws {
        let house = try WalletHomeFixture()
        let wallet = try await house.creation().run()
        let path = wallet.shares[1].path
        try FileManager.default.moveItem(atPath: path, toPath: "\(house.path)/stick")
        let outcome = try await change(wallet, in: house.home)
        #expect(outcome.behind == [PassphraseChange.Behind(share: wallet.shares[1], obstacle: .missing)])
        #expect(try backlog(wallet, in: house.home) == [.backup: 50])
        try await check(wallet, in: house.home, but: [.backup])
        // The list stays as long as the share is away.
        #expect(try await change(wallet, in: house.home, now: 70).behind.count == 1)
        #expect(try backlog(wallet, in: house.home) == [.backup: 50])

        try FileManager.default.moveItem(atPath: "\(house.path)/stick", toPath: path)
        let behind = CustodyError.share(.backup, .behind(path: path, since: 50))
        await #expect(throws: behind) {
            _ = try await house.home.open(.backup, of: wallet, passphrase: secret(Self.new))
        }
        await #expect(throws: behind) {
            _ = try await ShareFile.open(
                .backup, of: wallet, in: house.home, passphrase: secret(Self.new), random: SystemRandom())
        }
        await #expect(throws: behind) { _ = try await house.renewWith(Self.new) }
        #expect(
            house.home.passphraseCondition(of: wallet)
                == PassphraseCondition(
                    interrupted: [], behind: [PassphraseCondition.Behind(share: wallet.shares[1], since: 50)]))
        // Another change with a share that opens with neither passphrase is refused.
        await #expect(throws: CustodyError.passphraseChange(.neither(path: path))) {
            try await change(wallet, in: house.home, from: Self.new, to: "yet another passphrase")
        }
        let back = try await change(wallet, in: house.home, now: 80)
        #expect(back == PassphraseChange.Outcome(changed: [.share(.backup)], behind: []))
        try await check(wallet, in: house.home)
        #expect(!house.plainFiles.contains { $0.hasSuffix("passphrase.json") })
    }

    @Test("a share that a change did not reach does not prevent a proof by the other shares")
    func provenByOthers() async throws {
        let house = try WalletHomeFixture()
        let wallet = try await house.creation().run()
        let path = wallet.shares[0].path
        try FileManager.default.moveItem(atPath: path, toPath: "\(house.path)/away")
        try await change(wallet, in: house.home)
        try FileManager.default.moveItem(atPath: "\(house.path)/away", toPath: path)
        #expect(try await house.home.proven(wallet, passphrase: secret(Self.new)).share == .backup)
        await #expect(throws: CustodyError.share(.backup, .unreadable(path: wallet.shares[1].path, .wrongPassphrase))) {
            _ = try await house.home.proven(wallet, passphrase: secret("a mistyped passphrase"))
        }
    }

    @Test("an older copy in the place of a share is named as such, is not changed, and opens with its passphrase only")
    func stale() async throws {
        let house = try WalletHomeFixture()
        let wallet = try await house.creation().run()
        let path = wallet.shares[1].path
        let copy = try bytes(of: path)
        try await change(wallet, in: house.home)
        let newest = try bytes(of: path)
        try overwrite(path, with: copy)
        let older = CustodyError.share(.backup, .unreadable(path: path, .rolledBack(found: 1, expected: 3)))
        await #expect(throws: older) {
            _ = try await house.home.open(.backup, of: wallet, passphrase: secret(Self.new))
        }
        let outcome = try await change(wallet, in: house.home, from: Self.new, to: "the third passphrase")
        #expect(outcome.behind == [PassphraseChange.Behind(share: wallet.shares[1], obstacle: .olderCopy)])
        #expect(try bytes(of: path) == copy)
        // The newest copy has the passphrase of the first change.
        try overwrite(path, with: newest)
        let back = try await change(wallet, in: house.home, from: Self.new, to: "the third passphrase")
        #expect(back == PassphraseChange.Outcome(changed: [.share(.backup)], behind: []))
        try await check(wallet, in: house.home, opensWith: "the third passphrase", not: Self.new)
    }

    @Test("a share that cannot be written is listed, and stays as it is")
    func readOnly() async throws {
        let house = try WalletHomeFixture()
        let wallet = try await house.creation().run()
        let path = wallet.shares[2].path
        let before = try bytes(of: path)
        // A folder of the lock's name: the lock cannot be taken, as on a medium that is read only.
        try FileManager.default.createDirectory(atPath: path + ".lock", withIntermediateDirectories: false)
        let outcome = try await change(wallet, in: house.home)
        #expect(outcome.behind == [PassphraseChange.Behind(share: wallet.shares[2], obstacle: .readOnly)])
        #expect(try backlog(wallet, in: house.home) == [.recovery: 50])
        #expect(try bytes(of: path) == before)
        try await check(wallet, in: house.home, but: [.recovery])
    }

    @Test("a share that cannot be written is named and listed, also when the change was complete without it")
    func readOnlyAfterCompletion() async throws {
        let house = try WalletHomeFixture()
        let wallet = try await house.creation().run()
        let path = wallet.shares[2].path
        try FileManager.default.moveItem(atPath: path, toPath: "\(house.path)/stick")
        try await change(wallet, in: house.home)
        // As on a machine to which the wallet was restored.
        try FileManager.default.removeItem(atPath: house.home.backlogPath(of: wallet.name))
        try FileManager.default.moveItem(atPath: "\(house.path)/stick", toPath: path)
        try FileManager.default.createDirectory(atPath: path + ".lock", withIntermediateDirectories: false)
        let outcome = try await change(wallet, in: house.home, now: 70)
        let behind = PassphraseChange.Behind(share: wallet.shares[2], obstacle: .readOnly)
        #expect(outcome == PassphraseChange.Outcome(changed: [], behind: [behind]))
        #expect(try backlog(wallet, in: house.home) == [.recovery: 70])
        await #expect(throws: CustodyError.share(.recovery, .behind(path: path, since: 70))) {
            _ = try await house.home.open(.recovery, of: wallet, passphrase: secret(Self.new))
        }
        // It can be written again.
        try FileManager.default.removeItem(atPath: path + ".lock")
        #expect(
            try await change(wallet, in: house.home)
                == PassphraseChange.Outcome(changed: [.share(.recovery)], behind: []))
        try await check(wallet, in: house.home)
    }

    @Test("an error of the record of generations is not taken for a medium that is read only, and nothing is changed")
    func brokenRecord() async throws {
        let house = try WalletHomeFixture()
        let wallet = try await house.creation().run()
        let (seen, path) = (house.home.generations(of: wallet.name), wallet.shares[1].path)
        let id = try VaultFile.head(ofFileAt: path).id
        // A folder of the lock's name: the generation cannot be recorded.
        let obstacle = "\(seen)/\(id).generation.lock"
        try FileManager.default.createDirectory(atPath: obstacle, withIntermediateDirectories: true)
        do {
            try await change(wallet, in: house.home)
            Issue.record("it was changed")
        } catch CustodyError.share(.backup, .unreadable(path, .inputOutput(.lock, _))) {}
        try FileManager.default.removeItem(atPath: obstacle)
        try await check(wallet, in: house.home, opensWith: Self.old, not: Self.new)
        try await change(wallet, in: house.home)
        // A home that was copied back, with other modes: other users can read the record.
        let record = "\(seen)/\(id).generation"
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: record)
        await #expect(throws: CustodyError.share(.backup, .notMade(path: seen, .insecureFile))) {
            try await change(wallet, in: house.home, from: Self.new, to: "the third passphrase")
        }
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: record)
        try await check(wallet, in: house.home)
    }

    @Test("another wallet's share, a damaged one, and no share at all prevent the change")
    func unusable() async throws {
        let house = try WalletHomeFixture()
        let wallet = try await house.creation().run()
        let other = try await house.creation(
            "other", places: SharePlaces(backup: "\(house.path)/b", recovery: "\(house.path)/r")
        ).run()
        let path = wallet.shares[1].path
        let own = try bytes(of: path)
        try overwrite(path, with: try bytes(of: other.shares[1].path))
        await #expect(throws: CustodyError.share(.backup, .foreign(path: path))) {
            try await change(wallet, in: house.home)
        }
        #expect(Self.opens(other.shares[1].path, Self.old) && Self.opens(path, Self.old))
        try overwrite(path, with: Array(own.dropLast()))
        await #expect(throws: CustodyError.share(.backup, .unreadable(path: path, .truncated))) {
            try await change(wallet, in: house.home)
        }
        for share in wallet.shares { try FileManager.default.removeItem(atPath: share.path) }
        await #expect(throws: CustodyError.passphraseChange(.nothingReachable)) {
            try await change(wallet, in: house.home)
        }
    }

    // MARK: Renewals

    @Test("while a renewal is unfinished, nothing is changed")
    func unfinishedRenewal() async throws {
        let house = try WalletHomeFixture()
        let wallet = try await house.creation().run()
        let next = try await house.renew(.refresh).wallet
        try house.home.replace(wallet)
        try house.home.write(RenewalJournal(from: wallet, to: next, lost: []))
        await #expect(throws: CustodyError.passphraseChange(.unfinishedRenewal(name: "w"))) {
            try await change(wallet, in: house.home)
        }
    }

    @Test("an old file that a renewal left on a stick, under the passphrase from before, stays and stops no cleanup")
    func oldFileOfRenewal() async throws {
        let house = try WalletHomeFixture()
        let wallet = try await house.creation().run()
        let stick = "\(house.path)/recovery"
        try FileManager.default.moveItem(atPath: stick, toPath: "\(house.path)/unplugged")
        let renewed = try await house.renew(
            .reshare(try ThresholdParameters(threshold: 2, total: 2), backup: nil, recovery: nil)
        ).wallet
        #expect(try RenewalCleanup(of: wallet.name, in: house.home).isNeeded())
        try await change(renewed, in: house.home)
        try FileManager.default.moveItem(atPath: "\(house.path)/unplugged", toPath: stick)
        let cleanup = RenewalCleanup(of: wallet.name, in: house.home)
        #expect(try await cleanup.remove(passphrase: secret(Self.new)) == [wallet.shares[2]])
        #expect(Self.opens(wallet.shares[2].path, Self.old))
        await #expect(throws: CustodyError.share(.device, .unreadable(path: renewed.shares[0].path, .wrongPassphrase)))
        {
            try await cleanup.remove(passphrase: secret("a mistyped passphrase"))
        }
        // The owner destroys it.
        try FileManager.default.removeItem(atPath: wallet.shares[2].path)
        #expect(try await cleanup.remove(passphrase: secret(Self.new)).isEmpty)
        #expect(!house.plainFiles.contains { $0.hasSuffix("passphrase.json") || $0.hasSuffix("renewal.json") })
    }

    @Test("a damaged list of shares that were not reached does not keep the old files of a renewal on record")
    func damagedList() async throws {
        let house = try WalletHomeFixture()
        let wallet = try await house.creation().run()
        let path = house.home.backlogPath(of: wallet.name)
        #expect(
            FileManager.default.createFile(
                atPath: path, contents: Data("x".utf8), attributes: [.posixPermissions: 0o600]))
        #expect(try await house.renew(.refresh).remaining == [])
        // Other users can read it; and it is a pipe.
        try overwrite(path, with: PassphraseBacklog().encoded)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        #expect(try await house.renew(.refresh).remaining == [])
        try FileManager.default.removeItem(atPath: path)
        #expect(mkfifo(path, 0o600) == 0)
        #expect(try await house.renew(.refresh).remaining == [])
        #expect(try !RenewalCleanup(of: wallet.name, in: house.home).isNeeded())
    }

    @Test("a share that a change did not reach is not accepted as lost")
    func behindIsNotLost() async throws {
        let house = try WalletHomeFixture()
        let wallet = try await house.creation().run()
        let path = wallet.shares[1].path
        try FileManager.default.moveItem(atPath: path, toPath: "\(house.path)/stick")
        try await change(wallet, in: house.home)
        try FileManager.default.moveItem(atPath: "\(house.path)/stick", toPath: path)
        await #expect(throws: CustodyError.share(.backup, .behind(path: path, since: 50))) {
            _ = try await WalletRenewal(.repair(lost: [.backup], to: []), of: wallet.name, in: house.home).run(
                passphrase: secret(Self.new), random: SystemRandom(), now: 60, progress: { _ in })
        }
        #expect(try house.home.wallet(wallet.name) == wallet)
        #expect(Self.opens(path, Self.old))
    }

    @Test("a share that was away from the change, and comes back after a reshare without it, stops no cleanup")
    func reshareAfterChange() async throws {
        let house = try WalletHomeFixture()
        let wallet = try await house.creation().run()
        let stick = "\(house.path)/recovery"
        try FileManager.default.moveItem(atPath: stick, toPath: "\(house.path)/unplugged")
        try await change(wallet, in: house.home)
        _ = try await WalletRenewal(
            .reshare(try ThresholdParameters(threshold: 2, total: 2), backup: nil, recovery: nil), of: wallet.name,
            in: house.home
        ).run(passphrase: secret(Self.new), random: SystemRandom(), now: 60, progress: { _ in })
        try FileManager.default.moveItem(atPath: "\(house.path)/unplugged", toPath: stick)
        let remaining = try await RenewalCleanup(of: wallet.name, in: house.home).remove(passphrase: secret(Self.new))
        #expect(remaining == [wallet.shares[2]])
    }

    // MARK: Interruptions

    /// The files of a wallet, which can be set back.
    private struct Snapshot {
        let files: [(path: String, bytes: [UInt8])]

        init(_ wallet: WalletRecord, _ home: WalletHome) throws {
            files = try (wallet.shares.map(\.path) + [home.bookPath(of: wallet.name)]).map { ($0, try bytes(of: $0)) }
        }

        /// Writes the files, and forgets the generations that were seen since.
        func putBack(_ seen: String) throws {
            for file in files { try overwrite(file.path, with: file.bytes) }
            if FileManager.default.fileExists(atPath: seen) { try FileManager.default.removeItem(atPath: seen) }
        }
    }

    @Test("after an interruption at any step one passphrase opens all files, and the same change completes it")
    func interruptions() async throws {
        let house = try WalletHomeFixture()
        let wallet = try await house.creation("w", 2, of: 2).run()
        let seen = house.home.generations(of: wallet.name)
        try await Book(at: house.home.bookPath(of: wallet.name), Self.old, Self.new).close()
        let before = try Snapshot(wallet, house.home)
        // What a process that is killed at the beginning of each step leaves on the disk.
        var states: [Snapshot] = []
        var failed = false
        try await change(wallet, in: house.home) { _ in
            do { states.append(try Snapshot(wallet, house.home)) } catch { failed = true }
        }
        #expect(!failed && states.count == 2 + 3 + 3 + 3)
        states.append(try Snapshot(wallet, house.home))
        for (number, state) in ([before] + states).enumerated() {
            try state.putBack(seen)
            let common = [Self.old, Self.new].filter { passphrase in
                state.files.allSatisfy { Self.opens($0.path, passphrase) }
            }
            // The first sealing, of the share of this machine, decides.
            #expect(number < 10 ? common.contains(Self.old) : common == [Self.new], "step \(number): \(common)")
            // The same command again; and once the new passphrase is the wallet's, with that as the present one.
            for present in number < 10 ? [Self.old] : [Self.old, Self.new] {
                try state.putBack(seen)
                do {
                    try await change(wallet, in: house.home, from: present)
                } catch CustodyError.passphraseChange(.same) {
                    #expect(number == states.count, "step \(number)")
                }
                try await check(wallet, in: house.home)
            }
        }
    }

    @Test("an interrupted change to a forgotten passphrase gives way to another one, and leaves none of it")
    func thirdPassphrase() async throws {
        let house = try WalletHomeFixture()
        let wallet = try await house.creation().run()
        var state: Snapshot?
        try await change(wallet, in: house.home, to: "typed and forgotten") { step in
            if step == .sealing(.share(.device)) { state = try? Snapshot(wallet, house.home) }
        }
        try #require(state).putBack(house.home.generations(of: wallet.name))
        #expect(house.home.passphraseCondition(of: wallet).interrupted.count == 4)
        try await change(wallet, in: house.home)
        try await check(wallet, in: house.home)
        for share in wallet.shares { #expect(!Self.opens(share.path, "typed and forgotten")) }
    }
}

extension WalletHomeFixture {
    /// Refreshes the wallet "w" with another passphrase than the fixture's.
    fileprivate borrowing func renewWith(_ passphrase: String) async throws(CustodyError) -> WalletRenewal.Outcome {
        try await WalletRenewal(.refresh, of: try WalletName("w"), in: home).run(
            passphrase: secret(passphrase), random: SystemRandom(), now: 9, progress: { _ in })
    }
}
