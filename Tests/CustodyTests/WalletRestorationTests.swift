internal import Foundation
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

@Suite("Restoring a wallet from its shares")
struct WalletRestorationTests {
    /// A wallet with files, made once: stretching its passphrase is slow on purpose.
    private final class Machine: Sendable {
        let folder: String
        let wallet: WalletRecord

        init(named name: String = "savings") async throws {
            folder = FileManager.default.temporaryDirectory.path + "/fueki-\(UUID().uuidString)"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
            wallet = try await WalletCreation(
                name: WalletName(name), network: .signet, parameters: ThresholdParameters(threshold: 2, total: 3),
                places: SharePlaces(backup: "\(folder)/backup", recovery: "\(folder)/recovery"),
                home: WalletHome(path: "\(folder)/home")
            ).run(passphrase: Self.passphrase(), random: SystemRandom(), now: 1_700_000_000) { _ in }
        }

        deinit { try? FileManager.default.removeItem(atPath: folder) }

        func file(_ location: ShareLocation) throws -> String { try wallet.share(at: location).path }

        /// An empty home.
        func newHome() -> WalletHome { WalletHome(path: "\(folder)/\(UUID().uuidString)") }

        static func passphrase(_ text: String = "five words are long enough") -> SecretBytes {
            var bytes = Array(text.utf8)
            return SecretBytes(moving: &bytes)
        }
    }

    @Test("one share restores the description; the others keep their places")
    func oneShare() async throws {
        let machine = try await Machine()
        let moved = "\(machine.folder)/elsewhere.vault"
        try FileManager.default.moveItem(atPath: machine.file(.recovery), toPath: moved)
        let home = machine.newHome()
        let restored = try await WalletRestoration(name: machine.wallet.name, home: home).run(
            files: [moved], passphrase: Machine.passphrase())
        #expect(restored.shares.map(\.path) == [try machine.file(.device), try machine.file(.backup), moved])
        #expect(restored.isSameWallet(as: machine.wallet))
        #expect(restored != machine.wallet)
        #expect(try home.wallet(machine.wallet.name) == restored)
    }

    @Test("every share opens in the place that the restored description names")
    func allShares() async throws {
        let machine = try await Machine()
        let home = machine.newHome()
        let name = machine.wallet.name
        let files = try [ShareLocation.recovery, .device, .backup].map { try machine.file($0) }
        let restored = try await WalletRestoration(name: name, home: home).run(
            files: files, passphrase: Machine.passphrase())
        #expect(restored == machine.wallet)
        for location in [ShareLocation.device, .backup, .recovery] {
            let sealed = try await home.open(location, of: restored, passphrase: Machine.passphrase())
            #expect(sealed.record.isSameWallet(as: restored))
        }
    }

    @Test("the error shows the mistakes in a policy file, and no wallet is written")
    func refusals() async throws {
        let machine = try await Machine()
        let twin = try await Machine()
        let other = try await Machine(named: "other")
        let name = machine.wallet.name
        let backup = try machine.file(.backup)
        let twins = try twin.file(.recovery)
        let others = try other.file(.backup)
        let missing = "\(machine.folder)/missing.vault"
        let empty = "\(machine.folder)/empty.vault"
        let vault = try VaultFile.create(
            at: empty, passphrase: Machine.passphrase(), freshness: .unchecked, random: SystemRandom())
        await vault.close()
        let text = "\(machine.folder)/notes.txt"
        try "nothing to see".write(toFile: text, atomically: false, encoding: .utf8)

        let cases: [([String], String, CustodyError)] = [
            ([], "five words are long enough", .ceremony(.wrongNumberOfShares(needed: 1, given: 0))),
            ([missing], "five words are long enough", .shareFile(path: missing, .unreadable(.notFound))),
            ([text], "five words are long enough", .shareFile(path: text, .unreadable(.notAVault))),
            ([backup], "some other words", .shareFile(path: backup, .unreadable(.wrongPassphrase))),
            ([backup, empty], "five words are long enough", .shareFile(path: empty, .notAShare)),
            (
                [backup, others], "five words are long enough",
                .shareFile(path: others, .ofAnotherWallet(wallet: "other"))
            ),
            ([backup, twins], "five words are long enough", .shareFile(path: twins, .disagrees)),
            ([backup, backup], "five words are long enough", .shareFile(path: backup, .disagrees)),
        ]
        for (files, words, expected) in cases {
            let home = machine.newHome()
            await #expect(throws: expected) {
                try await WalletRestoration(name: name, home: home).run(
                    files: files, passphrase: Machine.passphrase(words))
            }
            #expect(!FileManager.default.fileExists(atPath: home.path), "\(expected)")
        }
    }

    @Test("a share beside the description of another key is refused")
    func foreignDescription() async throws {
        let machine = try await Machine()
        let name = machine.wallet.name
        let path = "\(machine.folder)/mixed.vault"
        try SealedShare(keys: KnownWallet().shares(2), record: machine.wallet.with(sharesAt: [.backup: path]))
            .seal(passphrase: Machine.passphrase(), random: SystemRandom())
        await #expect(throws: CustodyError.shareFile(path: path, .notAShare)) {
            try await WalletRestoration(name: name, home: machine.newHome()).run(
                files: [path], passphrase: Machine.passphrase())
        }
    }

    @Test("an existing wallet records a share file's new place, and keeps the other places")
    func moved() async throws {
        let machine = try await Machine()
        let home = WalletHome(path: "\(machine.folder)/home")
        let name = machine.wallet.name
        let restoration = WalletRestoration(name: name, home: home)
        for location in [ShareLocation.recovery, .backup] {
            let place = "\(machine.folder)/\(location.name) elsewhere.vault"
            try FileManager.default.moveItem(atPath: machine.file(location), toPath: place)
            try restoration.check()
            let told = try await restoration.run(files: [place], passphrase: Machine.passphrase())
            #expect(try told.share(at: location).path == place)
            #expect(told.isSameWallet(as: machine.wallet))
            #expect(try home.wallet(name) == told)
        }
        let paths = try home.wallet(name).shares.map(\.path)
        #expect(
            paths == [try machine.file(.device)]
                + ["backup", "recovery"].map { "\(machine.folder)/\($0) elsewhere.vault" })
    }

    @Test("another wallet of the same name is left unchanged, and so is an unreadable description")
    func existing() async throws {
        let machine = try await Machine()
        let twin = try await Machine()
        let home = WalletHome(path: "\(machine.folder)/home")
        let name = machine.wallet.name
        let restoration = WalletRestoration(name: name, home: home)
        let twins = try twin.file(.backup)
        await #expect(throws: CustodyError.walletExists(name: "savings")) {
            try await restoration.run(files: [twins], passphrase: Machine.passphrase())
        }
        #expect(try home.wallet(name) == machine.wallet)

        let record = "\(machine.folder)/home/wallets/savings/wallet.json"
        try FileManager.default.removeItem(atPath: record)
        try Data("{}".utf8).write(to: URL(fileURLWithPath: record))
        let damaged = CustodyError.damagedWallet(name: "savings", reason: "it is not a wallet's description")
        #expect(throws: damaged) { try restoration.check() }
        let backup = try machine.file(.backup)
        await #expect(throws: damaged) {
            try await restoration.run(files: [backup], passphrase: Machine.passphrase())
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: record)) == Data("{}".utf8))
    }
}
