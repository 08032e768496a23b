import Ceremonies
import Foundation
import HDKeys
import Secrets
import SecureStorage
import TestSupport
import Testing
import Threshold

import class SecretStoreTestSupport.ChipDouble

@testable import CeremoniesTestSupport
@testable import Custody
@testable import CustodyTestSupport

@Suite("A device share that needs the chip of this machine")
struct DeviceShareTests {
    private let chip = ChipDouble(attempts: 5)

    private func home(_ house: borrowing WalletHomeFixture, _ chip: ChipDouble?) -> WalletHome {
        WalletHome(path: "\(house.path)/home", device: chip)
    }

    private func creation(_ house: borrowing WalletHomeFixture, _ chip: ChipDouble?) throws -> WalletCreation {
        WalletCreation(
            name: try WalletName("w"), network: .regtest, parameters: try ThresholdParameters(threshold: 2, total: 3),
            places: house.places, home: home(house, chip), bindsDeviceShare: true)
    }

    private func open(
        _ location: ShareLocation, of wallet: WalletRecord, in home: WalletHome,
        passphrase: String = WalletHomeFixture.passphrase
    ) async throws(CustodyError) {
        _ = try await home.open(location, of: wallet, passphrase: secret(passphrase))
    }

    private func unreadable(_ wallet: WalletRecord, _ fault: BackendFault) throws -> CustodyError {
        .share(.device, .unreadable(path: try wallet.share(at: .device).path, .backend(.tpm, fault)))
    }

    @Test("the share of this machine needs the chip, and the others do not")
    func creates() async throws {
        let house = try WalletHomeFixture()
        let wallet = try await creation(house, chip).run()
        #expect(wallet.shares.map(\.device) == [.tpm, nil, nil])
        #expect(try house.home.wallet(wallet.name) == wallet)
        try await open(.device, of: wallet, in: home(house, chip))
        await #expect(throws: try unreadable(wallet, .required)) {
            try await open(.device, of: wallet, in: house.home)
        }
        await #expect(throws: try unreadable(wallet, .bindingChanged(.device))) {
            try await open(.device, of: wallet, in: home(house, ChipDouble()))
        }
        try await open(.backup, of: wallet, in: house.home)
        try await open(.recovery, of: wallet, in: house.home)
        // The ECDSA counts are written through the same chip.
        let file = try await ShareFile.open(
            .device, of: wallet, in: home(house, chip), passphrase: secret(WalletHomeFixture.passphrase),
            random: SystemRandom())
        await file.close()
    }

    @Test("the chip counts wrong passphrases of the share")
    func wrongPassphrase() async throws {
        let house = try WalletHomeFixture()
        let wallet = try await creation(house, chip).run()
        await #expect(throws: try unreadable(wallet, .authenticationFailed(attemptsLeft: 4))) {
            try await open(.device, of: wallet, in: home(house, chip), passphrase: "a guess")
        }
    }

    @Test("without a chip no such wallet is made, and a chip that fails leaves nothing behind")
    func creationFails() async throws {
        let house = try WalletHomeFixture()
        let path = "\(house.path)/home/wallets/w/device.vault"
        let without = try creation(house, nil)
        #expect(throws: CustodyError.share(.device, .notMade(path: path, .backend(.tpm, .required)))) {
            try without.check()
        }
        chip.fail(with: .unavailable(.lockoutAuthorizationEmpty))
        let creation = try creation(house, chip)
        let failed = CustodyError.share(
            .device, .notMade(path: path, .backend(.tpm, .unavailable(.lockoutAuthorizationEmpty))))
        await #expect(throws: failed) { _ = try await creation.run() }
        #expect(house.plainFiles.isEmpty)
    }

    @Test("a refresh seals the new share for the chip, and needs it")
    func refresh() async throws {
        let house = try WalletHomeFixture()
        let wallet = try await creation(house, chip).run()
        let before = house.plainFiles
        await #expect(throws: CustodyError.self) {
            _ = try await WalletRenewal(.refresh, of: wallet.name, in: house.home).run(
                passphrase: secret(WalletHomeFixture.passphrase), random: SystemRandom(), now: 9, progress: { _ in })
        }
        #expect(house.plainFiles == before)
        let outcome = try await WalletRenewal(.refresh, of: wallet.name, in: home(house, chip)).run(
            passphrase: secret(WalletHomeFixture.passphrase), random: SystemRandom(), now: 9, progress: { _ in })
        #expect(outcome.wallet.shares.map(\.device) == [.tpm, nil, nil])
        #expect(outcome.remaining.isEmpty)
        try await open(.device, of: outcome.wallet, in: home(house, chip))
    }

    @Test("after the chip was cleared, the other shares make a new one for it, and signing goes on")
    func repairAfterClear() async throws {
        let house = try WalletHomeFixture()
        let wallet = try await creation(house, chip).run()
        chip.clear()
        await #expect(throws: try unreadable(wallet, .bindingChanged(.device))) {
            try await open(.device, of: wallet, in: home(house, chip))
        }
        let outcome = try await WalletRenewal(.repair(lost: [.device], to: []), of: wallet.name, in: home(house, chip))
            .run(passphrase: secret(WalletHomeFixture.passphrase), random: SystemRandom(), now: 9, progress: { _ in })
        #expect(outcome.wallet.shares.map(\.device) == [.tpm, nil, nil])
        try await open(.device, of: outcome.wallet, in: home(house, chip))
    }

    @Test("a chip that only refuses for now has not lost its share: nothing is repaired")
    func repairWhileLocked() async throws {
        let house = try WalletHomeFixture()
        let wallet = try await creation(house, chip).run()
        let before = house.plainFiles
        chip.fail(with: .timedOut)
        await #expect(throws: try unreadable(wallet, .timedOut)) {
            _ = try await WalletRenewal(.repair(lost: [.device], to: []), of: wallet.name, in: home(house, chip))
                .run(
                    passphrase: secret(WalletHomeFixture.passphrase), random: SystemRandom(), now: 9, progress: { _ in }
                )
        }
        #expect(house.plainFiles == before)
        chip.fail(with: nil)
        try await open(.device, of: wallet, in: home(house, chip))
    }

    @Test("a refresh binds the share to the chip, and frees it from a chip, as the caller says")
    func rebinding() async throws {
        let house = try WalletHomeFixture()
        let wallet = try await house.creation().run()
        let home = home(house, chip)
        let bound = try await WalletRenewal(.refresh, of: wallet.name, in: home, binding: .chip).run(
            passphrase: secret(WalletHomeFixture.passphrase), random: SystemRandom(), now: 9, progress: { _ in }
        ).wallet
        #expect(bound.shares.map(\.device) == [.tpm, nil, nil])
        let free = try await WalletRenewal(.refresh, of: wallet.name, in: home, binding: .passphraseOnly).run(
            passphrase: secret(WalletHomeFixture.passphrase), random: SystemRandom(), now: 10, progress: { _ in }
        ).wallet
        #expect(free.shares.map(\.device) == [nil, nil, nil])
        try await open(.device, of: free, in: house.home)
        let withoutChip = WalletRenewal(.refresh, of: wallet.name, in: house.home, binding: .chip)
        #expect(throws: CustodyError.self) { try withoutChip.check() }
    }

    @Test("a wallet's description names a chip only for the share of this machine, and only one that can seal")
    func strictDescription() async throws {
        let house = try WalletHomeFixture()
        let wallet = try await creation(house, chip).run()
        let json = String(decoding: try wallet.encoded, as: UTF8.self)
        #expect(json.contains("\"device\" : \"tpm\""))
        #expect(try WalletRecord(decoding: Array(json.utf8), name: nil) == wallet)
        for (old, new) in [
            ("\"device\" : \"tpm\"", "\"device\" : \"keychain\""), ("\"device\" : \"tpm\"", "\"device\" : \"disk\""),
            ("\"index\" : 2", "\"device\" : \"tpm\", \"index\" : 2"),
        ] {
            let changed = json.replacingOccurrences(of: old, with: new)
            #expect(changed != json)
            #expect(throws: CustodyError.self) { try WalletRecord(decoding: Array(changed.utf8), name: nil) }
        }
    }
}
