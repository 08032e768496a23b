internal import Ceremonies
import Foundation
import HDKeys
import Secrets
import TestSupport
import Testing
import Threshold
import Wallet

@testable import Custody
@testable import CustodyTestSupport

@Suite("Choices about shares and contacts")
struct RepairChoiceTests {
    @Test("a repair takes a folder for each lost share, or none")
    func repair() throws {
        #expect(try Renewal(repairing: ["device", "device"], to: []) == .repair(lost: [.device], to: []))
        #expect(
            try Renewal(repairing: ["backup", "device"], to: ["/a", "/b"])
                == .repair(lost: [.backup, .device], to: ["/a", "/b"]))
        #expect(throws: RepairFault.noSuchShare("attic")) { try Renewal(repairing: ["attic"], to: []) }
        #expect(throws: RepairFault.folders(1, lost: 2)) { try Renewal(repairing: ["backup", "device"], to: ["/a"]) }
        #expect(throws: RepairFault.folders(2, lost: 1)) {
            try Renewal(repairing: ["device", "device"], to: ["/a", "/b"])
        }
        #expect(throws: RepairFault.unnamedFolder) { try Renewal(repairing: ["device"], to: [""]) }
    }

    @Test("a restoration tells of missing shares on a new machine, and of old ones after a renewal elsewhere")
    func restoration() async throws {
        let fixture = try WalletHomeFixture()
        let wallet = try await fixture.creation().run(
            passphrase: guarded(WalletHomeFixture.passphrase), random: SystemRandom(), now: 1_700_000_000
        ) { _ in }
        #expect(RestorationFinding.all(of: wallet, before: nil, files: 1, hadBook: true) == [.fewerThanSign])
        #expect(RestorationFinding.all(of: wallet, before: nil, files: 2, hadBook: true) == [])
        // Policy, contacts and history are then on the machine that had the wallet before.
        #expect(
            RestorationFinding.all(of: wallet, before: nil, files: 1, hadBook: false)
                == [.fewerThanSign, .bookElsewhere])
        #expect(RestorationFinding.all(of: wallet, before: nil, files: 2, hadBook: false) == [.bookElsewhere])
        #expect(RestorationFinding.all(of: wallet, before: wallet, files: 2, hadBook: false) == [])
        #expect(RestorationFinding.all(of: wallet, before: wallet, files: 1, hadBook: true) == [])
        // A share of the same epoch that was moved is not old.
        let moved = wallet.with(sharesAt: [.backup: "\(fixture.path)/moved.vault"])
        #expect(RestorationFinding.all(of: moved, before: wallet, files: 1, hadBook: true) == [])
        let renewal = WalletRenewal(.refresh, of: wallet.name, in: fixture.home)
        let renewed = try await renewal.run(
            passphrase: guarded(WalletHomeFixture.passphrase), random: SystemRandom(), now: 1_700_000_000
        ) { _ in }.wallet
        // The renewal here has removed the old files: one of them comes back from a stick.
        let old = try #require(wallet.shares.first { $0.location == .backup }).path
        try Data([1]).write(to: URL(fileURLWithPath: old))
        #expect(RestorationFinding.all(of: renewed, before: wallet, files: 2, hadBook: true) == [.oldShare(path: old)])
    }
}
