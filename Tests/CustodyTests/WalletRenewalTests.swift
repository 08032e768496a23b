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

@Suite("Renewing a wallet")
struct WalletRenewalTests {
    private func files(_ epoch: Int) -> [String] {
        let suffix = epoch == 0 ? "" : "-epoch-\(epoch)"
        return [
            "backup/fueki-w-backup\(suffix).vault", "home/wallets/w/device\(suffix).vault",
            "home/wallets/w/wallet.json",
            "recovery/fueki-w-recovery\(suffix).vault",
        ]
    }

    private func check(_ wallet: WalletRecord, in house: borrowing WalletHomeFixture) async throws {
        #expect(try house.home.wallet(wallet.name) == wallet)
        for share in wallet.shares {
            let sealed = try await house.home.open(
                share.location, of: wallet, passphrase: secret(WalletHomeFixture.passphrase))
            #expect(sealed.record == wallet)
        }
    }

    /// Signs a taproot payment with two shares.
    private func sign(_ wallet: WalletRecord, _ locations: [ShareLocation], in house: borrowing WalletHomeFixture)
        async throws
    {
        let payment = try Payment(from: wallet.account)
        let proposed = try ProposedPayload(try payment.psbt, from: wallet)
        let confirmed = try proposed.confirmed(proposed.intent.digest, accepting: [])
        var participants: [any Participant] = []
        for location in locations {
            let sealed = try await house.home.open(
                location, of: wallet, passphrase: secret(WalletHomeFixture.passphrase))
            participants.append(
                sealed.participant(
                    confirmed: confirmed.digest, authorizer: PolicyAuthorizer(now: 0), ledger: nil,
                    random: SystemRandom()))
        }
        #expect(try payment.isSigned(in: try await confirmed.sign(with: participants, random: SystemRandom()).psbt))
    }

    @Test("a refresh: new files replace the old ones, addresses stay, and every pair of shares signs")
    func refresh() async throws {
        let house = try WalletHomeFixture()
        let before = try await house.creation().run()
        var steps: [WalletRenewal.Step] = []
        let outcome = try await house.renew(.refresh) { steps.append($0) }
        let wallet = outcome.wallet
        #expect(outcome.remaining.isEmpty)
        #expect(house.plainFiles == files(1))
        for file in files(1) { #expect(try house.mode(file) == 0o600, "\(file)") }
        try await check(wallet, in: house)
        #expect(wallet.epoch == 1 && wallet.walletID == before.walletID && wallet.createdAt == before.createdAt)
        #expect(wallet.keys != before.keys && wallet.shares.map(\.createdAt) == [9, 9, 9])
        for type in WalletAddress.Kind.allCases {
            #expect(
                try wallet.address(type, at: .receive, index: 3) == before.address(type, at: .receive, index: 3))
        }
        for pair in [[ShareLocation.device, .backup], [.device, .recovery], [.backup, .recovery]] {
            try await sign(wallet, pair, in: house)
        }
        let places: [ShareLocation] = [.device, .backup, .recovery]
        #expect(
            steps == places.map { .opening($0) } + [.generating] + places.map { .sealing($0) }
                + places.map { .readingBack($0) } + [.removingOld])

        // And again, with moved share files.
        let moved = "\(house.path)/attic/old name.vault"
        try house.put([], at: "attic/x")
        try FileManager.default.moveItem(atPath: try wallet.share(at: .recovery).path, toPath: moved)
        try house.home.replace(wallet.with(sharesAt: [.recovery: moved]))
        let again = try await house.renew(.refresh).wallet
        #expect(again.epoch == 2)
        #expect(try again.share(at: .recovery).path == "\(house.path)/attic/fueki-w-recovery-epoch-2.vault")
        #expect(!FileManager.default.fileExists(atPath: moved))
        try await check(again, in: house)
    }

    @Test("a repair: the place whose share was lost gets a new share, and the lost one is worthless")
    func repair() async throws {
        for lost in [ShareLocation.device, .backup, .recovery] {
            let house = try WalletHomeFixture()
            let before = try await house.creation().run()
            let file = try before.share(at: lost).path
            let copy = try Data(contentsOf: URL(fileURLWithPath: file))
            try FileManager.default.removeItem(atPath: file)
            #expect(
                await failure { () async throws(CustodyError) in try await house.renew(.refresh) }
                    == .renewal(.sharesAway([lost])))
            let outcome = try await house.renew(.repair(lost: [lost], to: []))
            #expect(outcome.remaining.isEmpty && house.plainFiles == files(1))
            try await check(outcome.wallet, in: house)
            for other in [ShareLocation.device, .backup, .recovery] where other != lost {
                try await sign(outcome.wallet, [lost, other], in: house)
            }
            // It is found again, and put where the new one was.
            let place = try outcome.wallet.share(at: lost).path
            try copy.write(to: URL(fileURLWithPath: place))
            let failure = await failure { () async throws(CustodyError) in
                _ = try await house.home.open(
                    lost, of: outcome.wallet, passphrase: secret(WalletHomeFixture.passphrase))
            }
            #expect(failure == .share(lost, .otherEpoch(path: place, found: 0, wallet: 1)))
        }
    }

    @Test("a lost share may get another place; and the device's place is this machine, wherever it was before")
    func repairElsewhere() async throws {
        let house = try WalletHomeFixture()
        let wallet = try await house.creation().run()
        try FileManager.default.removeItem(atPath: "\(house.path)/backup")
        let outcome = try await house.renew(.repair(lost: [.backup], to: ["\(house.path)/new/place"]))
        #expect(
            try outcome.wallet.share(at: .backup).path == "\(house.path)/new/place/fueki-w-backup-epoch-1.vault")
        try await check(outcome.wallet, in: house)

        // The wallet as restored on a new machine: the device's share was on the old one.
        let away = outcome.wallet.with(sharesAt: [.device: "/old machine/wallets/w/device.vault"])
        try house.home.replace(away)
        try FileManager.default.removeItem(atPath: outcome.wallet.share(at: .device).path)
        let again = try await house.renew(.repair(lost: [.device], to: [])).wallet
        #expect(try again.share(at: .device).path == "\(house.path)/home/wallets/w/device-epoch-2.vault")
        try await check(again, in: house)
        #expect(wallet.walletID == again.walletID)
    }

    @Test("reshare to more shares and back: 2 of 3, 3 of 5, 2 of 3")
    func reshare() async throws {
        let house = try WalletHomeFixture()
        let before = try await house.creation().run()
        let more = try ThresholdParameters(threshold: 3, total: 5)
        let five = try await house.renew(.reshare(more, backup: nil, recovery: nil)).wallet
        #expect(five.parameters == more && five.shares.count == 5)
        #expect(
            five.shares.map(\.path).suffix(2) == [
                "\(house.path)/backup/fueki-w-share-4-epoch-1.vault",
                "\(house.path)/recovery/fueki-w-share-5-epoch-1.vault",
            ])
        try await check(five, in: house)
        try await sign(five, [.further(index: 5), .backup, .further(index: 4)], in: house)

        let fewer = try ThresholdParameters(threshold: 2, total: 3)
        let outcome = try await house.renew(
            .reshare(fewer, backup: "\(house.path)/stick", recovery: "\(house.path)/safe"))
        let three = outcome.wallet
        #expect(outcome.remaining.isEmpty)
        #expect(
            house.plainFiles == [
                "home/wallets/w/device-epoch-2.vault", "home/wallets/w/wallet.json",
                "safe/fueki-w-recovery-epoch-2.vault", "stick/fueki-w-backup-epoch-2.vault",
            ])
        try await check(three, in: house)
        try await sign(three, [.backup, .recovery], in: house)
        #expect(three.walletID == before.walletID)
    }

    @Test("a reshare needs a threshold of shares; absent old ones are reported, and removed when they are back")
    func awayAtReshare() async throws {
        let house = try WalletHomeFixture()
        let wallet = try await house.creation().run()
        try FileManager.default.moveItem(atPath: "\(house.path)/backup", toPath: "\(house.path)/unplugged")
        let four = try ThresholdParameters(threshold: 2, total: 4)
        // Not silently onto this machine, into the empty folder of an absent stick.
        let stranded = await failure { () async throws(CustodyError) in
            try await house.renew(.reshare(four, backup: nil, recovery: nil))
        }
        #expect(stranded == .renewal(.sharesAway([.backup])))
        let outcome = try await house.renew(.reshare(four, backup: "\(house.path)/other", recovery: nil))
        #expect(outcome.remaining == [try wallet.share(at: .backup)])
        try await check(outcome.wallet, in: house)
        let cleanup = RenewalCleanup(of: wallet.name, in: house.home)
        #expect(try cleanup.isNeeded())
        // The stick is present again.
        try FileManager.default.moveItem(atPath: "\(house.path)/unplugged", toPath: "\(house.path)/backup")
        #expect(try await cleanup.remove(passphrase: secret(WalletHomeFixture.passphrase)).isEmpty)
        #expect(try !cleanup.isNeeded())
        #expect(!house.plainFiles.contains { $0.hasPrefix("backup/") })

        for share in outcome.wallet.shares.dropFirst() { try FileManager.default.removeItem(atPath: share.path) }
        let few = await failure { () async throws(CustodyError) in
            try await house.renew(.reshare(four, backup: nil, recovery: nil))
        }
        #expect(few == .renewal(.tooFewShares(needed: 2, missing: [.backup, .recovery, .further(index: 4)])))
        let lost = await failure { () async throws(CustodyError) in
            try await house.renew(.repair(lost: [.backup, .recovery, .further(index: 4)], to: []))
        }
        #expect(lost == .renewal(.tooFewShares(needed: 2, missing: [.backup, .recovery, .further(index: 4)])))
    }

    @Test(
        "a wrong passphrase, a damaged share, a share that is not there or not the wallet's: everything stays as it was"
    )
    func refusals() async throws {
        let house = try WalletHomeFixture()
        let wallet = try await house.creation().run()
        func refused(_ expected: CustodyError, _ renewal: Renewal, _ words: String = WalletHomeFixture.passphrase) async
        {
            let before = house.files
            let name = wallet.name
            let home = house.home
            let failure = await failure { () async throws(CustodyError) in
                try await WalletRenewal(renewal, of: name, in: home).run(
                    passphrase: secret(words), random: SystemRandom(), now: 0
                ) { _ in }
            }
            #expect(failure == expected)
            #expect(house.files == before)
        }
        let device = try wallet.share(at: .device).path
        await refused(.share(.device, .unreadable(path: device, .wrongPassphrase)), .refresh, "other words")
        await refused(.noSuchShare(name: "share-4"), .repair(lost: [.further(index: 4)], to: []))
        await refused(.unusablePath, .repair(lost: [.backup], to: ["/a\u{1b}[2K"]))
        let path = "\(house.path)/recovery/fueki-w-recovery-epoch-1.vault"
        try house.put([1], at: "recovery/fueki-w-recovery-epoch-1.vault")
        // It may be another machine's new share: it is not listed for removal.
        await refused(.renewal(.elsewhere(name: "w", path: path, found: 1, wallet: 0, needed: 2)), .refresh)
        try FileManager.default.removeItem(atPath: path)
        let backup = "backup/fueki-w-backup.vault"
        let whole = try house.bytes(backup)
        try house.put(whole.flipping(100), at: backup)
        await refused(.share(.backup, .unreadable(path: "\(house.path)/\(backup)", .damaged)), .refresh)
        try house.put(try house.bytes("home/wallets/w/device.vault"), at: backup)
        await refused(.share(.backup, .foreign(path: "\(house.path)/\(backup)")), .refresh)
        try house.put(whole, at: backup)
        // The description sealed beside the shares differs from wallet.json.
        let renamed = WalletRecord(
            name: wallet.name, network: wallet.network, createdAt: 5, epoch: 0, keys: wallet.keys,
            imported: nil, shares: wallet.shares)
        try house.home.replace(renamed)
        await refused(
            .damagedWallet(name: "w", reason: "wallet.json is not what was sealed with the device share"), .refresh)
    }

    /// Restores the home's state from before a renewal: from a copy, or by an attacker.
    private func putBack(_ wallet: WalletRecord, _ renewed: WalletRecord, in house: borrowing WalletHomeFixture) throws
    {
        try house.home.replace(wallet)
        try house.home.write(RenewalJournal(from: wallet, to: renewed, lost: []))
    }

    @Test(
        "restored_home_removes_no_share: a home from a copy made during a renewal does not take the new shares for cleanup"
    )
    func restoredHome() async throws {
        let house = try WalletHomeFixture()
        let before = try await house.creation().run()
        let renewed = try await house.renew(.refresh).wallet
        try putBack(before, renewed, in: house)
        let shares = files(1).filter { $0.hasSuffix(".vault") }
        let unsettled = CustodyError.renewal(.unsettled(name: "w", needed: 2))
        let cleanup = RenewalCleanup(of: before.name, in: house.home)
        #expect(
            await failure { () async throws(CustodyError) in
                _ = try await cleanup.remove(passphrase: secret(WalletHomeFixture.passphrase))
            } == unsettled)
        #expect(await failure { () async throws(CustodyError) in _ = try await house.renew(.refresh) } == unsettled)
        #expect(Set(house.plainFiles).isSuperset(of: shares))
        // The new shares are the wallet: a restore from them makes them valid again.
        let wallet = try await WalletRestoration(name: before.name, home: house.home).run(
            files: renewed.shares.map(\.path), passphrase: secret(WalletHomeFixture.passphrase))
        #expect(wallet.isSameWallet(as: renewed))
        try await check(wallet, in: house)
    }

    @Test("forged_description_removes_no_share: old shares stay until a threshold of new ones has opened")
    func forgedDescription() async throws {
        let house = try WalletHomeFixture()
        let before = try await house.creation().run()
        let old = try house.home.wallet(before.name).shares.map { try Data(contentsOf: URL(fileURLWithPath: $0.path)) }
        let renewed = try await house.renew(.refresh).wallet
        for (share, bytes) in zip(before.shares, old) { try bytes.write(to: URL(fileURLWithPath: share.path)) }
        try house.home.write(RenewalJournal(from: before, to: renewed, lost: []))
        // Two of the claimed new shares are not shares.
        for share in renewed.shares.dropFirst() { try Data().write(to: URL(fileURLWithPath: share.path)) }
        let cleanup = RenewalCleanup(of: before.name, in: house.home)
        #expect(
            await failure { () async throws(CustodyError) in
                _ = try await cleanup.remove(passphrase: secret(WalletHomeFixture.passphrase))
            } == .renewal(.unsettled(name: "w", needed: 2)))
        for share in before.shares { #expect(FileManager.default.fileExists(atPath: share.path)) }
    }

    @Test("files that the previous renewal could not remove are reported again, and so is one that was moved")
    func remainingAgain() async throws {
        let house = try WalletHomeFixture()
        let before = try await house.creation("w", 2, of: 5).run()
        let moved = try before.share(at: .recovery)
        try FileManager.default.moveItem(atPath: moved.path, toPath: "\(house.path)/moved.vault")
        let outcome = try await house.renew(
            .reshare(try ThresholdParameters(threshold: 2, total: 3), backup: nil, recovery: "\(house.path)/safe"))
        #expect(outcome.remaining.map(\.path) == [moved.path])
    }

    @Test("two concurrent renewals: one is refused without waiting")
    func locked() async throws {
        let house = try WalletHomeFixture()
        let wallet = try await house.creation(of: 2).run()
        let lock = try house.home.lockRenewals(of: wallet.name)
        let failure = await failure { () async throws(CustodyError) in try await house.renew(.refresh) }
        #expect(failure == .renewal(.running(name: "w", processID: ProcessInfo.processInfo.processIdentifier)))
        _ = consume lock
        _ = try await house.renew(.refresh)
    }

    @Test("a file that appears in the way meanwhile is left untouched, and no new share stays")
    func inTheWayMeanwhile() async throws {
        let house = try WalletHomeFixture()
        let wallet = try await house.creation().run()
        let before = files(0)
        let file = "recovery/fueki-w-recovery-epoch-1.vault"
        let failure = await failure { () async throws(CustodyError) in
            try await house.renew(.refresh) { if $0 == .sealing(.backup) { try? house.put([1, 2], at: file) } }
        }
        #expect(failure == .shareFile(path: "\(house.path)/\(file)", .inTheWay))
        #expect(Set(house.plainFiles) == Set(before + [file, "home/wallets/w/renewal.json"]))
        #expect(try house.bytes(file) == [1, 2])
        try await check(wallet, in: house)
        // A foreign file is in the way until a person moves it.
        try FileManager.default.removeItem(atPath: "\(house.path)/\(file)")
        _ = try await house.renew(.refresh)
        #expect(house.plainFiles == files(1))
    }

    @Test("a new share that does not read back as sealed leaves the old shares in use")
    func notReadBack() async throws {
        let house = try WalletHomeFixture()
        let wallet = try await house.creation().run()
        let file = "backup/fueki-w-backup-epoch-1.vault"
        let failure = await failure { () async throws(CustodyError) in
            try await house.renew(.refresh) { step in
                if step == .readingBack(.backup) {
                    try? house.put(((try? house.bytes(file)) ?? []).flipping(99), at: file)
                }
            }
        }
        #expect(failure == .share(.backup, .unreadable(path: "\(house.path)/\(file)", .damaged)))
        #expect(house.plainFiles == files(0))
        try await check(wallet, in: house)
    }
}

extension WalletHomeFixture {
    /// Renews the shares of the wallet `w`.
    borrowing func renew(
        _ renewal: Renewal, progress: (WalletRenewal.Step) -> Void = { _ in }
    ) async throws(CustodyError) -> WalletRenewal.Outcome {
        try await WalletRenewal(renewal, of: try WalletName("w"), in: home).run(
            passphrase: secret(Self.passphrase), random: SystemRandom(), now: 9, progress: progress)
    }
}
