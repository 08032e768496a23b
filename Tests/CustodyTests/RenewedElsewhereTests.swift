import Foundation
import Secrets
import TestSupport
import Testing
import Threshold

@testable import Ceremonies
@testable import CeremoniesTestSupport
@testable import Custody
@testable import CustodyTestSupport

/// One wallet on two machines, of which one renews it, or both do.
@Suite("A wallet that was renewed on another machine")
struct RenewedElsewhereTests {
    /// The machines have separate homes; `other` has copies of all share files, too.
    private struct Machines: ~Copyable {
        let house: WalletHomeFixture
        let wallet: WalletRecord
        let other: WalletHome

        init() async throws {
            let house = try WalletHomeFixture()
            let wallet = try await house.creation().run()
            let other = WalletHome(path: "\(house.path)/other/home")
            for share in wallet.shares {
                try house.put(Self.bytes(share.path), at: "other/\(share.location.name).vault")
            }
            let path = house.path
            _ = try await WalletRestoration(name: wallet.name, home: other).run(
                files: wallet.shares.map { "\(path)/other/\($0.location.name).vault" },
                passphrase: secret(WalletHomeFixture.passphrase))
            self.house = house
            self.wallet = wallet
            self.other = other
        }

        static func bytes(_ path: String) throws -> [UInt8] {
            [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        }

        func restore(_ wallet: WalletRecord, _ locations: [ShareLocation], in home: WalletHome)
            async throws(CustodyError)
            -> WalletRecord
        {
            try await WalletRestoration(name: wallet.name, home: home).run(
                files: wallet.shares.filter { locations.contains($0.location) }.map(\.path),
                passphrase: secret(WalletHomeFixture.passphrase))
        }

        func renewOther() async throws(CustodyError) -> WalletRecord {
            try await WalletRenewal(.refresh, of: wallet.name, in: other).run(
                passphrase: secret(WalletHomeFixture.passphrase), random: SystemRandom(), now: 5
            ) { _ in }.wallet
        }
    }

    @Test("one newer file is reported and changes nothing; a threshold of them brings the machine up to date")
    func newer() async throws {
        let machines = try await Machines()
        let before = try machines.other.wallet(machines.wallet.name)
        let renewed = try await machines.house.renew(.refresh).wallet
        let failure = await failure { () async throws(CustodyError) in
            try await machines.restore(renewed, [.backup], in: machines.other)
        }
        let path = try renewed.share(at: .backup).path
        #expect(failure == .renewal(.elsewhere(name: "w", path: path, found: 1, wallet: 0, needed: 2)))
        #expect(try machines.other.wallet(before.name) == before)
        let told = try await machines.restore(renewed, [.backup, .recovery], in: machines.other)
        #expect(told == renewed)
        #expect(try machines.other.wallet(before.name) == renewed)
    }

    @Test("older files are refused where newer ones are known, however many they are")
    func older() async throws {
        let machines = try await Machines()
        let old = try machines.other.wallet(machines.wallet.name)
        let renewed = try await machines.house.renew(.refresh).wallet
        let home = machines.house.home
        let failure = await failure { () async throws(CustodyError) in
            try await machines.restore(old, [.device, .backup, .recovery], in: home)
        }
        let path = try old.share(at: .device).path
        #expect(failure == .renewal(.elsewhere(name: "w", path: path, found: 0, wallet: 1, needed: 2)))
        #expect(try home.wallet(old.name) == renewed)
    }

    @Test("two machines that both renewed: neither set replaces the other unasked, and they do not mix")
    func fork() async throws {
        let machines = try await Machines()
        let here = try await machines.house.renew(.refresh).wallet
        let there = try await machines.renewOther()
        #expect(here.epoch == there.epoch && here.walletID == there.walletID)
        let home = machines.house.home
        let failure1 = await failure { () async throws(CustodyError) in
            try await machines.restore(there, [.device, .backup, .recovery], in: home)
        }
        let path = try there.share(at: .device).path
        #expect(failure1 == .renewal(.elsewhere(name: "w", path: path, found: 1, wallet: 1, needed: 2)))
        #expect(try home.wallet(here.name) == here)

        // On a machine without any file, the files of both, and of two epochs.
        let empty = WalletHome(path: "\(machines.house.path)/empty")
        let name = here.name
        let mixed = [try here.share(at: .backup).path, try there.share(at: .recovery).path]
        let failure2 = await failure { () async throws(CustodyError) in
            try await WalletRestoration(name: name, home: empty).run(
                files: mixed, passphrase: secret(WalletHomeFixture.passphrase))
        }
        #expect(failure2 == .shareFile(path: mixed[1], .otherEpoch(found: 1, before: 1)))
        let again = try await machines.house.renew(.refresh).wallet
        let epochs = [try again.share(at: .backup).path, try there.share(at: .recovery).path]
        let failure3 = await failure { () async throws(CustodyError) in
            try await WalletRestoration(name: name, home: empty).run(
                files: epochs, passphrase: secret(WalletHomeFixture.passphrase))
        }
        #expect(failure3 == .shareFile(path: epochs[1], .otherEpoch(found: 1, before: 2)))
        #expect(empty.names().isEmpty)
    }

    @Test(
        "what a renewal left to be removed is forgotten with its description: from another one, files that sign look like it"
    )
    func journal() async throws {
        let house = try WalletHomeFixture()
        let wallet = try await house.creation().run()
        // A renewal while the stick is absent, so that its old file is remembered; then the description is lost.
        try FileManager.default.moveItem(atPath: "\(house.path)/backup", toPath: "\(house.path)/stick")
        let same = try ThresholdParameters(threshold: 2, total: 3)
        let renewed = try await house.renew(.reshare(same, backup: "\(house.path)/new", recovery: nil)).wallet
        let remains = RenewalCleanup(of: wallet.name, in: house.home)
        #expect(try remains.isNeeded())
        let record = "home/wallets/w/wallet.json"
        let kept = try house.bytes(record)
        try FileManager.default.removeItem(atPath: "\(house.path)/\(record)")

        // The first file found is the old one on the stick. The new shares must survive that.
        let home = house.home
        let path = house.path
        let name = wallet.name
        let old = try await WalletRestoration(name: name, home: home).run(
            files: ["\(path)/stick/fueki-w-backup.vault"], passphrase: secret(WalletHomeFixture.passphrase))
        #expect(old.epoch == 0)
        #expect(try !remains.isNeeded())
        _ = try await remains.remove(passphrase: secret(WalletHomeFixture.passphrase))
        for share in renewed.shares { #expect(FileManager.default.fileExists(atPath: share.path)) }

        // The same with an old description: a threshold of new files brings it up to date.
        try home.write(RenewalJournal(from: wallet, to: renewed, lost: []))
        let after = try await WalletRestoration(name: name, home: home).run(
            files: renewed.shares.map(\.path), passphrase: secret(WalletHomeFixture.passphrase))
        #expect(after == renewed)
        #expect(try !remains.isNeeded())
        #expect(try house.bytes(record) == kept)
    }

    @Test("a machine that is told where files are keeps the list of files that a renewal still has to remove")
    func journalKept() async throws {
        let house = try WalletHomeFixture()
        _ = try await house.creation().run()
        try FileManager.default.moveItem(atPath: "\(house.path)/backup", toPath: "\(house.path)/stick")
        let same = try ThresholdParameters(threshold: 2, total: 3)
        let renewed = try await house.renew(.reshare(same, backup: "\(house.path)/new", recovery: nil)).wallet
        let home = house.home
        let file = try renewed.share(at: .recovery).path
        _ = try await WalletRestoration(name: renewed.name, home: home).run(
            files: [file], passphrase: secret(WalletHomeFixture.passphrase))
        #expect(try RenewalCleanup(of: renewed.name, in: home).isNeeded())
    }
}
