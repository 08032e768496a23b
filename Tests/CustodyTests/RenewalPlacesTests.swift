import Foundation
import Secrets
import SecureStorage
import TestSupport
import Testing
import Threshold

@testable import Ceremonies
@testable import CeremoniesTestSupport
@testable import Custody
@testable import CustodyTestSupport

@Suite("Where a renewal puts the shares, and which files it leaves")
struct RenewalPlacesTests {
    @Test("a share that was declared lost, and exists and opens, keeps everything as it was")
    func notLost() async throws {
        let house = try WalletHomeFixture()
        let wallet = try await house.creation().run()
        for location in [ShareLocation.device, .backup] {
            let before = house.files
            let failure = await failure { () async throws(CustodyError) in
                try await house.renew(.repair(lost: [location], to: ["\(house.path)/elsewhere"]))
            }
            #expect(failure == .renewal(.shareNotLost(location, path: try wallet.share(at: location).path)))
            #expect(house.files == before)
        }
    }

    @Test("an unrelated file in place of a lost share is no obstacle, and is reported")
    func abandoned() async throws {
        let house = try WalletHomeFixture()
        let wallet = try await house.creation().run()
        let file = "backup/fueki-w-backup.vault"
        let damaged = try house.bytes(file).flipping(100)
        try house.put(damaged, at: file)
        let outcome = try await house.renew(.repair(lost: [.backup], to: []))
        #expect(outcome.abandoned == [try wallet.share(at: .backup)] && outcome.remaining.isEmpty)
        #expect(try house.bytes(file) == damaged)
        #expect(outcome.wallet.epoch == 1)
    }

    @Test("a lost share's replacement is not written to this machine because its stick is absent, or elsewhere unasked")
    func placeAway() async throws {
        let house = try WalletHomeFixture()
        _ = try await house.creation().run()
        try FileManager.default.removeItem(atPath: "\(house.path)/backup")
        let before = house.files
        let failure = await failure { () async throws(CustodyError) in
            try await house.renew(.repair(lost: [.backup], to: []))
        }
        #expect(failure == .renewal(.placeAway(.backup, folder: "\(house.path)/backup")))
        #expect(house.files == before)
        // Connected and empty: a new stick in place of the old one.
        try FileManager.default.createDirectory(atPath: "\(house.path)/backup", withIntermediateDirectories: false)
        _ = try await house.renew(.repair(lost: [.backup], to: []))
    }

    @Test("nor is it written there if only the empty mount point of its stick exists")
    func emptyMountPoint() async throws {
        let house = try WalletHomeFixture()
        let wallet = try await house.creation().run()
        let path = house.path
        let plain = Disks(mountFolders: [path: "/"]) { Disks.real.fileSystem($0).map { _ in .init(number: 1) } }
        let mounted = Disks(mountFolders: [path: "/"]) { .init(number: $0.hasPrefix("\(path)/backup") ? 2 : 1) }
        let renewal = Renewal.repair(lost: [.backup], to: [])
        #expect(throws: CustodyError.renewal(.placeAway(.backup, folder: "\(path)/backup"))) {
            try RenewalPlan(renewal, of: wallet, in: house.home, on: plain)
        }
        _ = try RenewalPlan(renewal, of: wallet, in: house.home, on: mounted)
        // A folder that the person names is used.
        _ = try RenewalPlan(.repair(lost: [.backup], to: ["\(path)/new"]), of: wallet, in: house.home, on: plain)
    }

    @Test("several lost shares get a folder each, in the order in which they were named")
    func severalFolders() async throws {
        let house = try WalletHomeFixture()
        let wallet = try await house.creation("w", 2, of: 4).run()
        try FileManager.default.removeItem(atPath: "\(house.path)/recovery")
        try FileManager.default.removeItem(atPath: try wallet.share(at: .device).path)
        let outcome = try await house.renew(
            .repair(lost: [.recovery, .device], to: ["\(house.path)/a", "\(house.path)/b"]))
        #expect(
            outcome.wallet.shares.map(\.path) == [
                // Outside of its own folder the device share's name includes the wallet.
                "\(house.path)/b/fueki-w-device-epoch-1.vault", "\(house.path)/backup/fueki-w-backup-epoch-1.vault",
                "\(house.path)/a/fueki-w-recovery-epoch-1.vault", "\(house.path)/backup/fueki-w-share-4-epoch-1.vault",
            ])
        for share in outcome.wallet.shares {
            _ = try await house.home.open(
                share.location, of: outcome.wallet, passphrase: secret(WalletHomeFixture.passphrase))
        }
        // There, it is not mistaken for a file of another wallet with a device share in the same folder.
        #expect(outcome.wallet.newerFile(in: house.home) == nil)
    }

    @Test(
        "where a newer share lies, another machine renewed the wallet: this one does not, nor are they called remains")
    func newerFile() async throws {
        for location in [ShareLocation.device, .backup, .recovery] {
            let house = try WalletHomeFixture()
            let wallet = try await house.creation().run()
            let old = try house.bytes("home/wallets/w/wallet.json")
            let outcome = try await house.renew(.refresh)
            // A machine that missed the renewal: old description, and old copies of all shares but this one.
            try house.put(old, at: "home/wallets/w/wallet.json")
            let newer = try outcome.wallet.share(at: location).path
            for share in outcome.wallet.shares where share.location != location {
                try FileManager.default.removeItem(atPath: share.path)
            }
            for renewal in [Renewal.refresh, .repair(lost: [location], to: [])] {
                let failure = await failure { () async throws(CustodyError) in try await house.renew(renewal) }
                #expect(
                    failure == .renewal(.elsewhere(name: "w", path: newer, found: 1, wallet: 0, needed: 2)),
                    "\(location)")
            }
            #expect(wallet.newerFile(in: house.home)?.path == newer)
            #expect(outcome.wallet.newerFile(in: house.home) == nil)
        }
    }

    @Test("only a later epoch of the same share of the same wallet counts as a newer share file")
    func epochsOfNames() throws {
        let name = try WalletName("w")
        func epoch(_ file: String, _ location: ShareLocation = .backup, isInHome: Bool = false) -> Int? {
            SharePlaces.epoch(ofFile: file, at: location, of: name, isInHome: isInHome)
        }
        for number in [1, 9, 12] {
            for (location, isInHome) in [(ShareLocation.backup, false), (.device, true), (.device, false)] {
                let file = SharePlaces.file(of: location, of: name, epoch: number, isInHome: isInHome)
                #expect(epoch(file, location, isInHome: isInHome) == number)
            }
        }
        for file in [
            "fueki-w-backup.vault", "fueki-w-backup-epoch-.vault", "fueki-w-backup-epoch-x.vault",
            "fueki-w-backup-epoch-0.vault", "fueki-w-backup-epoch--1.vault", "fueki-w-backup-epoch-1.vault.lock",
            ".fueki-w-backup-epoch-1.vault.tmp", "fueki-v-backup-epoch-1.vault", "fueki-w-recovery-epoch-1.vault",
            "fueki-w-backup-epoch-99999999999999999999.vault", "device-epoch-1.vault",
        ] { #expect(epoch(file) == nil, "\(file)") }
        #expect(epoch("device-epoch-1.vault", .device) == nil)
    }

    @Test("the counts and generations of old files are removed with them")
    func generations() async throws {
        let house = try WalletHomeFixture()
        let wallet = try await house.creation(of: 2).run()
        let file = try await ShareFile.open(
            .device, of: wallet, in: house.home, passphrase: secret(WalletHomeFixture.passphrase),
            random: SystemRandom())
        try await file.charge(try await file.begin(with: [try ParticipantIndex(2)]))
        await file.close()
        #expect(house.plainFiles.contains { $0.hasSuffix(".counts") })
        func seen() -> [String] { house.plainFiles.filter { $0.contains("/seen/") } }
        #expect(seen().count == 2)
        let renewed = try await house.renew(.refresh).wallet
        #expect(seen().isEmpty)
        #expect(!house.plainFiles.contains { $0.hasSuffix(".counts") })
        let next = try await ShareFile.open(
            .device, of: renewed, in: house.home, passphrase: secret(WalletHomeFixture.passphrase),
            random: SystemRandom())
        await next.close()
        #expect(seen().count == 1)
    }

    @Test("the remaining work of an interrupted renewal is known without the passphrase: new files, or old ones")
    func pending() async throws {
        let house = try WalletHomeFixture()
        let wallet = try await house.creation().run()
        let cleanup = RenewalCleanup(of: wallet.name, in: house.home)
        #expect(try cleanup.pending() == nil)
        let next = try await house.renew(.refresh).wallet
        let journal = RenewalJournal(from: wallet, to: next, lost: [.recovery])
        try house.home.write(journal)
        // None of the old files exists, and their places do: nothing is named.
        #expect(try cleanup.pending() == .oldFiles([]))
        for folder in ["backup", "recovery"] {
            try FileManager.default.moveItem(atPath: "\(house.path)/\(folder)", toPath: "\(house.path)/\(folder) away")
        }
        // The lost one is not searched for.
        #expect(try cleanup.pending() == .oldFiles([try wallet.share(at: .backup).path]))
        try house.home.replace(wallet)
        #expect(try cleanup.pending() == .begun(files: next.shares.map(\.path)))
    }
}
