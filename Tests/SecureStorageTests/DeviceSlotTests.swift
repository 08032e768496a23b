internal import Files
internal import Foundation
internal import SecretStoreTestSupport
internal import Secrets
internal import TestSupport
internal import Testing

@testable internal import SecureStorage

@Suite("Vaults that need a device")
struct DeviceSlotTests {
    let folder: SharedFolder
    let chip = ChipDouble()

    init() throws { folder = try SharedFolder() }

    private var path: String { folder("vault") }

    private func create(
        _ passphrase: String = "1234", device: (any DeviceSealer)?, freshness: Freshness = .unchecked
    ) throws(SecureStorageError) -> VaultFile {
        try VaultFile.create(
            at: path, passphrase: secret(passphrase), device: device, freshness: freshness, random: SystemRandom(),
            stretcher: .cheapForTesting)
    }

    private func open(
        _ passphrase: String = "1234", device: (any DeviceSealer)?, freshness: Freshness = .unchecked
    ) throws(SecureStorageError) -> VaultFile {
        try VaultFile.open(
            at: path, passphrase: secret(passphrase), device: device, freshness: freshness, random: SystemRandom(),
            stretcher: .cheapForTesting)
    }

    /// Makes a vault with one item.
    private func make(device: any DeviceSealer, recovery: String? = nil) async throws {
        let vault = try create(device: device)
        try await vault.save(secret("kept"), as: try name("a"), attributes: .critical(.seed))
        if let recovery { try await vault.addPassphrase(secret(recovery)) }
        await vault.close()
    }

    @Test("it opens with the passphrase and the device, and with neither alone")
    func bothAreNeeded() async throws {
        try await make(device: chip)
        let vault = try open(device: chip)
        #expect(text(try await vault.load(try name("a"))) == "kept")
        #expect(try await vault.device(ofSlot: 1) == .tpm)
        await vault.close()
        #expect(throws: SecureStorageError.backend(.tpm, .required)) { try open(device: nil) }
        #expect(throws: SecureStorageError.backend(.tpm, .required)) { try open(device: ChipDouble(.secureEnclave)) }
        #expect(throws: SecureStorageError.backend(.tpm, .bindingChanged(.device))) { try open(device: ChipDouble()) }
        #expect(throws: SecureStorageError.backend(.tpm, .authenticationFailed(attemptsLeft: 2))) {
            try open("4321", device: chip)
        }
    }

    @Test("the device counts wrong passphrases, and then refuses the right one, too")
    func lockout() async throws {
        try await make(device: chip)
        for left in [2, 1, 0] {
            #expect(throws: SecureStorageError.backend(.tpm, .authenticationFailed(attemptsLeft: left))) {
                try open("guess", device: chip)
            }
        }
        #expect(throws: SecureStorageError.backend(.tpm, .lockedOut(seconds: nil))) { try open(device: chip) }
        chip.resetLockout()
        await (try open(device: chip)).close()
    }

    @Test("a recovery passphrase opens without the device, and costs the device no attempt")
    func recovery() async throws {
        try await make(device: chip, recovery: "a long recovery passphrase")
        let calls = chip.calls
        chip.fail(with: .unavailable(.noDevice))
        let vault = try open("a long recovery passphrase", device: chip)
        #expect(text(try await vault.load(try name("a"))) == "kept")
        #expect(chip.calls == calls)
        await vault.close()
        await (try open("a long recovery passphrase", device: nil)).close()
    }

    @Test("after a change of firmware the slot is sealed anew, with the recovery passphrase")
    func reseal() async throws {
        try await make(device: chip, recovery: "a long recovery passphrase")
        chip.changePlatform()
        #expect(throws: SecureStorageError.backend(.tpm, .bindingChanged(.platformState))) { try open(device: chip) }
        let vault = try open("a long recovery passphrase", device: chip)
        await #expect(throws: SecureStorageError.slotNotRemovable) {
            try await vault.reseal(slot: 2, passphrase: secret("x"), device: chip)
        }
        try await vault.reseal(slot: 1, passphrase: secret("1234"), device: chip)
        await vault.close()
        let again = try open(device: chip)
        #expect(text(try await again.load(try name("a"))) == "kept")
        await again.close()
    }

    @Test("a vault has one slot with a device: a second one would cost the first one's attempts")
    func oneDevice() async throws {
        let vault = try create("long passphrase", device: nil)
        try await vault.addPassphrase(secret("1234"), device: chip)
        await #expect(throws: SecureStorageError.alreadyExists) {
            try await vault.addPassphrase(secret("5678"), device: chip)
        }
        await vault.close()
        await (try open(device: chip)).close()
    }

    @Test("a changed passphrase still needs the device")
    func changePassphrase() async throws {
        try await make(device: chip)
        let vault = try open(device: chip)
        try await vault.changePassphrase(to: secret("5678"))
        await vault.close()
        #expect(throws: SecureStorageError.backend(.tpm, .required)) { try open("5678", device: nil) }
        await (try open("5678", device: chip)).close()
    }

    @Test("a sealed file is written for the device, and read with it")
    func seal() async throws {
        try VaultFile.seal(
            secret("share"), as: try name("a"), attributes: .critical(.keyShare), at: path, passphrase: secret("1234"),
            device: chip, random: SystemRandom())
        let vault = try VaultFile.openReadOnly(
            at: path, passphrase: secret("1234"), device: chip, freshness: .unchecked)
        #expect(text(try await vault.load(try name("a"))) == "share")
        await vault.close()
        #expect(throws: SecureStorageError.backend(.tpm, .required)) {
            try VaultFile.openReadOnly(at: path, passphrase: secret("1234"), freshness: .unchecked)
        }
    }

    @Test("a device that returns too much, nothing, or another secret is not believed")
    func wrongAnswers() async throws {
        for sealed in [[], [UInt8](repeating: 1, count: 4097)] {
            #expect(throws: SecureStorageError.backend(.tpm, .malformedAnswer)) {
                try create(device: FixedChip(sealed: sealed, opened: 32))
            }
        }
        await (try create(device: FixedChip(sealed: [1], opened: 32))).close()
        #expect(throws: SecureStorageError.backend(.tpm, .malformedAnswer)) {
            try open(device: FixedChip(sealed: [1], opened: 31))
        }
        // 32 bytes that the vault did not seal.
        #expect(throws: SecureStorageError.wrongPassphrase) { try open(device: FixedChip(sealed: [1], opened: 32)) }
        try FileManager.default.removeItem(atPath: path)
        #expect(throws: SecureStorageError.backend(.keychain, .unsupported)) {
            try create(device: ChipDouble(.keychain))
        }
    }

    @Test("a slot without its device, and one with another sealed secret, are refused")
    func alteredSlots() async throws {
        try await make(device: chip)
        let bytes = try bytes(of: path)
        let image = try VaultImage(decoding: bytes)
        #expect(bytes[9] == 3)
        #expect(image.encoded == bytes)
        // Only one version fits the slots and devices of a file.
        for version: UInt8 in [1, 2, 4] {
            var other = bytes
            other[9] = version
            #expect(throws: version < 4 ? SecureStorageError.damaged : .unsupportedVersion(4)) {
                try VaultImage(decoding: Adversary.settingChecksum(other))
            }
        }
        for (form, versions) in [(PassphraseForm.given, (1, 2)), (.normalised, (3, 3))] {
            var plain = try VaultImage(decoding: try Self.passphraseOnly(form))
            #expect(plain.encoded[9] == versions.0)
            plain.anchor = .tpm
            #expect(plain.encoded[9] == versions.1)
            #expect(try VaultImage(decoding: plain.encoded) == plain)
        }
    }

    @Test("a PIN in another form costs the device one attempt, and an older slot is tried as it was typed only")
    func oneAttempt() async throws {
        try await make(device: chip)
        #expect(throws: SecureStorageError.backend(.tpm, .authenticationFailed(attemptsLeft: 2))) {
            try open("\u{ff14}321", device: chip)
        }
        let random = SeededRandom(seed: 1)
        var vault = try Vault(
            passphrase: secret("\u{ff11}234"), form: .given, device: chip, anchor: nil, stretching: .standard,
            by: .cheapForTesting, random: random)
        vault.state = vault.state.next
        let bytes = try vault.encoded(vault.state, random: random)
        #expect(throws: SecureStorageError.backend(.tpm, .authenticationFailed(attemptsLeft: 1))) {
            _ = try Vault(opening: bytes, passphrase: secret("1234"), device: chip, by: .cheapForTesting)
        }
        _ = try Vault(opening: bytes, passphrase: secret("\u{ff11}234"), device: chip, by: .cheapForTesting)
    }

    private static func passphraseOnly(_ form: PassphraseForm) throws -> [UInt8] {
        let random = SeededRandom(seed: 1)
        var vault = try Vault(
            passphrase: secret("p"), form: form, device: nil, anchor: nil, stretching: .standard,
            by: .cheapForTesting, random: random)
        vault.state = vault.state.next
        return try vault.encoded(vault.state, random: random)
    }

    // MARK: Counters in a device

    @Test("a vault that a device counts begins at its counter, and an older copy of it is refused")
    func anchored() async throws {
        let counter = CounterDouble(at: 41)
        let vault = try create(device: nil, freshness: .guarded(by: counter))
        #expect(try await vault.generation == 42)
        #expect(counter.count == 42)
        let old = try bytes(of: path)
        try await vault.save(secret("new"), as: try name("a"), attributes: .critical(.seed))
        #expect(counter.count == 43)
        await vault.close()
        await (try open(device: nil, freshness: .guarded(by: counter))).close()
        try overwrite(path, with: old)
        #expect(throws: SecureStorageError.rolledBack(found: 42, expected: 43)) {
            try open(device: nil, freshness: .guarded(by: counter))
        }
    }

    @Test(
        "a vault that a device counts is not written without it, and is read without it only as a copy that may be old")
    func anchorIsRequired() async throws {
        let counter = CounterDouble(at: 7)
        await (try create(device: nil, freshness: .guarded(by: counter))).close()
        try FolderCreation.make(folder("seen"))
        for freshness in [Freshness.unchecked, .atLeast(1), .guarded(by: GenerationFolder(at: folder("seen")))] {
            #expect(throws: SecureStorageError.backend(.tpm, .required)) { try open(device: nil, freshness: freshness) }
        }
        let copy = try VaultFile.openReadOnly(
            at: path, passphrase: secret("1234"), freshness: .unchecked, stretcher: .cheapForTesting)
        #expect(await copy.anchor == .tpm)
        await copy.close()
        #expect(throws: SecureStorageError.backend(.tpm, .required)) {
            try VaultFile.openReadOnly(
                at: path, passphrase: secret("1234"), freshness: .guarded(by: GenerationFolder(at: folder("seen"))),
                stretcher: .cheapForTesting)
        }
    }

    @Test("a crash between the file and the counter leaves a vault that opens, and the counter follows")
    func crashBeforeCounting() async throws {
        let counter = CounterDouble(at: 7)
        let vault = try create(device: nil, freshness: .guarded(by: counter))
        counter.fail(with: .timedOut)
        await #expect(throws: SecureStorageError.backend(.tpm, .timedOut)) {
            try await vault.save(secret("new"), as: try name("a"), attributes: .critical(.seed))
        }
        await vault.close()
        counter.fail(with: nil)
        #expect(counter.count == 8)
        let again = try open(device: nil, freshness: .guarded(by: counter))
        #expect(counter.count == 9)
        #expect(text(try await again.load(try name("a"))) == "new")
        await again.close()
    }
}

/// A chip that gives the same answers to everything.
private struct FixedChip: DeviceSealer {
    let sealed: [UInt8]
    let opened: Int
    var backend: StoreBackend { .tpm }

    func seal(
        _ secret: borrowing SecretBytes, authorizedBy authorization: borrowing SecretBytes
    ) throws(SecureStorageError) -> [UInt8] { sealed }

    func open(
        _ sealed: [UInt8], authorizedBy authorization: borrowing SecretBytes
    ) throws(SecureStorageError) -> SecretBytes { SecretBytes(count: opened) { _ in } }
}
