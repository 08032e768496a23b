import Curves
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

@Suite("Making a wallet")
struct WalletCreationTests {
    private static let allFiles = [
        "backup/fueki-w-backup.vault", "home/wallets/w/device.vault", "home/wallets/w/wallet.json",
        "recovery/fueki-w-recovery.vault",
    ]

    @Test("each file is in its place, readable by its owner only, and every share opens again")
    func files() async throws {
        let house = try WalletHomeFixture()
        try FileManager.default.createDirectory(
            atPath: "\(house.path)/backup", withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
        var steps: [WalletCreation.Step] = []
        let wallet = try await house.creation().run { steps.append($0) }

        #expect(house.plainFiles == Self.allFiles)
        for file in Self.allFiles { #expect(try house.mode(file) == 0o600, "\(file)") }
        for folder in ["home", "home/wallets", "home/wallets/w", "recovery"] {
            #expect(try house.mode(folder) == 0o700, "\(folder)")
        }
        #expect(try house.mode("backup") == 0o755, "a folder that was there is left as it was")
        let locations: [ShareLocation] = [.device, .backup, .recovery]
        #expect(
            steps == [.generating] + locations.map { .sealing($0) } + locations.map { .readingBack($0) })

        #expect(house.home.names().map(\.description) == ["w"])
        #expect(try house.home.wallet(wallet.name) == wallet)
        #expect(wallet.shares.map(\.location) == locations)
        #expect(wallet.shares.map(\.createdAt) == [1_700_000_000, 1_700_000_000, 1_700_000_000])
        for location in locations {
            let sealed = try await house.home.open(
                location, of: wallet, passphrase: secret(WalletHomeFixture.passphrase))
            #expect(sealed.record == wallet)
            let index = sealed.keys.index.value
            #expect(index == location.index)
        }
        // No part of a share is on the disk in the clear: the group key is in wallet.json, and in no other file.
        let key = wallet.keys.schnorr.publicKey.encoded
        for file in Self.allFiles where file.hasSuffix("vault") {
            #expect(!(try house.bytes(file)).contains(key), "\(file)")
        }
    }

    @Test("a random source that shows a sign of failure makes no wallet, and renews none")
    func unhealthyRandomness() async throws {
        let house = try WalletHomeFixture()
        let creation = try house.creation()
        await #expect(throws: CustodyError.unhealthyRandomness(.repetition)) {
            _ = try await creation.run(random: StuckRandom())
        }
        #expect(house.plainFiles.isEmpty)
        let wallet = try await creation.run()
        await #expect(throws: CustodyError.unhealthyRandomness(.repetition)) {
            _ = try await WalletRenewal(.refresh, of: wallet.name, in: house.home).run(
                passphrase: secret(WalletHomeFixture.passphrase), random: StuckRandom(), now: 9, progress: { _ in })
        }
        #expect(try house.home.wallet(wallet.name) == wallet)
    }

    @Test("a file in the way is named and left untouched, before anything is made", arguments: allFiles)
    func inTheWay(_ file: String) async throws {
        for kind in ["file", "folder", "dangling link"] {
            let house = try WalletHomeFixture()
            let path = "\(house.path)/\(file)"
            try house.put([1, 2, 3], at: file)
            if kind != "file" {
                try FileManager.default.removeItem(atPath: path)
                if kind == "folder" {
                    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
                } else {
                    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/nowhere")
                }
            }
            let before = house.files
            let expected =
                file.hasSuffix("json") ? CustodyError.walletExists(name: "w") : .shareFile(path: path, .inTheWay)
            let creation = try house.creation()
            #expect(throws: expected) { try creation.check() }
            var steps = 0
            do {
                _ = try await creation.run { _ in steps += 1 }
                Issue.record("made")
            } catch { #expect(error == expected) }
            #expect(steps == 0)
            #expect(house.files == before, "\(kind)")
            if kind == "file" { #expect(try house.bytes(file) == [1, 2, 3]) }
        }
    }

    @Test("a file that appears in the way meanwhile is left untouched, and the files made so far are removed")
    func inTheWayMeanwhile() async throws {
        let cases: [(WalletCreation.Step, String)] = [
            (.sealing(.device), "home/wallets/w/device.vault"), (.sealing(.backup), "backup/fueki-w-backup.vault"),
            (.readingBack(.backup), "home/wallets/w/wallet.json"),
        ]
        for (step, file) in cases {
            let house = try WalletHomeFixture()
            let creation = try house.creation(of: 2)
            do {
                _ = try await creation.run { if $0 == step { try? house.put([1, 2, 3], at: file) } }
                Issue.record("made")
            } catch {
                #expect(
                    error
                        == (file.hasSuffix("json")
                            ? .walletExists(name: "w") : .shareFile(path: "\(house.path)/\(file)", .inTheWay)))
            }
            // Where a description exists, whoever made it, no file that it may name is removed.
            let shares = ["backup/fueki-w-backup.vault", "home/wallets/w/device.vault"]
            #expect(house.plainFiles == (file.hasSuffix("json") ? shares + [file] : [file]))
            #expect(try house.bytes(file) == [1, 2, 3])
        }
    }

    @Test("a share that does not read back as sealed makes no wallet, and leaves no file")
    func notReadBack() async throws {
        let house = try WalletHomeFixture()
        let backup = "backup/fueki-w-backup.vault"
        let path = "\(house.path)/\(backup)"
        let cases: [(CustodyError, @Sendable ([UInt8]) -> [UInt8]?)] = [
            (.share(.backup, .unreadable(path: path, .damaged)), { $0.flipping(100) }),
            (.share(.backup, .unreadable(path: path, .truncated)), { _ in [] }),
            (.share(.backup, .missing(path: path, place: .folderIsThere)), { _ in nil }),
        ]
        for (expected, change) in cases {
            let creation = try house.creation(of: 2)
            do {
                _ = try await creation.run { step in
                    guard step == .readingBack(.backup), let bytes = try? house.bytes(backup) else { return }
                    if let changed = change(bytes) {
                        try? house.put(changed, at: backup)
                    } else {
                        try? FileManager.default.removeItem(atPath: path)
                    }
                }
                Issue.record("made")
            } catch { #expect(error == expected) }
            #expect(house.plainFiles == [])
            #expect(house.home.names().isEmpty)
        }
    }

    @Test("a place that cannot be written to makes no wallet, and leaves no file")
    func unwritable() async throws {
        let house = try WalletHomeFixture()
        try house.put([1], at: "file")
        for places in [
            SharePlaces(backup: "\(house.path)/file", recovery: nil),
            SharePlaces(backup: "\(house.path)/file/below", recovery: nil),
            SharePlaces(backup: "/proc/nowhere", recovery: nil),
            SharePlaces(backup: "\(house.path)/backup", recovery: "\(house.path)/file"),
        ] {
            let creation = try house.creation(places: places)
            let failure = await failure { () async throws(CustodyError) in try await creation.run() }
            guard case .noFolder = failure else {
                Issue.record("\(String(describing: failure)) for \(places)")
                continue
            }
            #expect(house.plainFiles == ["file"])
        }
    }

    @Test("a path with control characters is refused, before anything is made")
    func unusablePath() async throws {
        let house = try WalletHomeFixture()
        let creation = try house.creation(places: SharePlaces(backup: "\(house.path)/a\u{1b}[2K", recovery: nil))
        #expect(throws: CustodyError.unusablePath) { try creation.check() }
        #expect(await failure { () async throws(CustodyError) in try await creation.run() } == .unusablePath)
        #expect(house.files == [])
    }

    @Test("a random source that passes its tests and then repeats itself makes no wallet, and leaves no file")
    func brokenRandomness() async throws {
        let house = try WalletHomeFixture()
        let creation = try house.creation()
        let failure = await failure { () async throws(CustodyError) in try await creation.run(random: LateFailure()) }
        let (first, second) = (try ParticipantIndex(1), try ParticipantIndex(2))
        #expect(
            failure == .ceremony(.threshold(.sharing(.duplicateHostKey(of: .receiver(first), and: .receiver(second))))))
        #expect(house.files == [])
    }

    @Test("if two processes make the same wallet at once, one succeeds, and its shares open")
    func race() async throws {
        let house = try WalletHomeFixture()
        let creation = try house.creation(of: 2)
        let results = await withTaskGroup(of: CustodyError?.self) { group in
            for _ in 0..<2 {
                group.addTask { await failure { () async throws(CustodyError) in try await creation.run() } }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(results.count { $0 == nil } == 1, "\(results)")
        let wallet = try house.home.wallet(creation.name)
        for share in wallet.shares {
            let sealed = try await house.home.open(
                share.location, of: wallet, passphrase: secret(WalletHomeFixture.passphrase))
            #expect(sealed.record == wallet)
        }
        #expect(
            house.plainFiles == [
                "backup/fueki-w-backup.vault", "home/wallets/w/device.vault", "home/wallets/w/wallet.json",
            ])
    }

    @Test("by default the third share is in the home; further ones are with the backup")
    func otherPlaces() async throws {
        let house = try WalletHomeFixture()
        let places = SharePlaces(backup: "\(house.path)/a/b/c", recovery: nil)
        _ = try await house.creation(4, places: places).run()
        #expect(
            house.plainFiles == [
                "a/b/c/fueki-w-backup.vault", "a/b/c/fueki-w-share-4.vault", "home/recovery/fueki-w-recovery.vault",
                "home/wallets/w/device.vault", "home/wallets/w/wallet.json",
            ])
    }
}

extension WalletHomeFixture {
    borrowing fileprivate func creation(_ total: Int, places: SharePlaces) throws -> WalletCreation {
        try creation("w", 2, of: total, places: places)
    }
}

/// A generator that passes its health tests, and is stuck at one value for all shorter requests.
struct LateFailure: RandomSource {
    func fill(_ buffer: UnsafeMutableRawBufferPointer) {
        buffer.count >= 1024 ? SystemRandom().fill(buffer) : StuckRandom().fill(buffer)
    }
}

/// A generator that is stuck at one value.
private struct StuckRandom: RandomSource {
    func fill(_ buffer: UnsafeMutableRawBufferPointer) { buffer.initializeMemory(as: UInt8.self, repeating: 7) }
}
