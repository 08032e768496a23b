internal import Files
internal import Foundation
internal import SecretStoreTestSupport
internal import Secrets
internal import TestSupport
internal import Testing

@testable internal import SecureStorage

@Suite("Rekeyed vaults")
struct RekeyTests {
    let folder: SharedFolder
    let chip = ChipDouble()
    var path: String { folder("vault") }

    init() throws { folder = try SharedFolder() }

    /// Makes a closed vault with two items, and returns its bytes.
    private func make(freshness: Freshness = .unchecked, device: (any DeviceSealer)? = nil) async throws -> [UInt8] {
        let vault = try VaultFile.create(
            at: path, passphrase: secret("old"), device: device, freshness: freshness, random: SystemRandom(),
            stretcher: .cheapForTesting)
        try await vault.save(secret("the share"), as: try name("share"), attributes: .critical(.keyShare))
        try await vault.save(secret("a token"), as: try name("token"), attributes: .sensitive(.accessToken))
        await vault.close()
        return try bytes(of: path)
    }

    private func open(
        _ passphrase: String, device: (any DeviceSealer)? = nil, freshness: Freshness = .unchecked
    ) throws(SecureStorageError) -> VaultFile {
        try VaultFile.open(
            at: path, passphrase: secret(passphrase), device: device, freshness: freshness, random: SystemRandom(),
            stretcher: .cheapForTesting)
    }

    private func rekey(
        from old: String = "old", to new: String = "new", device: (any DeviceSealer)? = nil,
        freshness: Freshness = .unchecked
    ) async throws {
        let vault = try open(old, device: device, freshness: freshness)
        try await vault.rekey(to: secret(new))
        await vault.close()
    }

    @Test("a rekeyed vault has the same id and items, the next generation, and one passphrase")
    func keepsItems() async throws {
        let before = try VaultImage(decoding: try await make())
        let vault = try open("old")
        try await vault.addPassphrase(secret("another"))
        try await vault.addPassphrase(secret("new"))
        try await vault.rekey(to: secret("new"))
        // The open vault goes on with the new master key.
        try await vault.save(secret("later"), as: try name("later"), attributes: .critical(.other))
        #expect(text(try await vault.load(try name("share"))) == "the share")
        await vault.close()
        let after = try VaultImage(decoding: try bytes(of: path))
        #expect(after.id == before.id)
        #expect(after.slots.map(\.number) == [1])
        #expect(after.generation == before.generation + 4)
        for old in ["old", "another"] {
            #expect(throws: SecureStorageError.wrongPassphrase) { try open(old) }
        }
        let again = try open("new")
        #expect(text(try await again.load(try name("share"))) == "the share")
        #expect(text(try await again.load(try name("token"))) == "a token")
        #expect(text(try await again.load(try name("later"))) == "later")
        #expect(try await again.attributes(of: try name("token")) == .sensitive(.accessToken))
        // The passphrase that rekeyed it is one that can be changed.
        try await again.changePassphrase(to: secret("changed"))
        await again.close()
        await (try open("changed")).close()
    }

    @Test("the master key of an older copy opens no item of the rekeyed vault, and its slot opens no header")
    func oldMasterKey() async throws {
        let old = try await make()
        try await rekey()
        let opened = try Vault(opening: old, passphrase: secret("old"), by: .cheapForTesting)
        let present = try Vault(opening: try bytes(of: path), passphrase: secret("new"), by: .cheapForTesting)
        #expect(present.state.items.count == 2)
        let isSameKey = present.masterKey.matches(opened.masterKey)
        #expect(!isSameKey)
        for item in present.state.items.values {
            #expect(item.generation == present.state.generation)
            #expect(throws: SecureStorageError.tampered(.item)) {
                _ = try item.open(under: opened.masterKey, of: present.id)
            }
        }
        // The slot of the older copy, put into the present file, gives the old master key.
        var image = try VaultImage(decoding: try bytes(of: path))
        image.slots = try VaultImage(decoding: old).slots
        try overwrite(path, with: image.encoded)
        #expect(throws: SecureStorageError.tampered(.header)) { try open("old") }
        #expect(throws: SecureStorageError.wrongPassphrase) { try open("new") }
    }

    @Test("an item of an older copy cannot be put into the rekeyed vault")
    func oldItem() async throws {
        let old = try await make()
        try await rekey()
        var image = try VaultImage(decoding: try bytes(of: path))
        image.items = try VaultImage(decoding: old).items
        try overwrite(path, with: image.encoded)
        #expect(throws: SecureStorageError.tampered(.item)) { try open("new") }
    }

    @Test("without rekeying, an older copy's master key is that of the vault with the changed passphrase: control")
    func control() async throws {
        let old = try await make()
        let vault = try open("old")
        try await vault.changePassphrase(to: secret("new"))
        await vault.close()
        let opened = try Vault(opening: old, passphrase: secret("old"), by: .cheapForTesting)
        let present = try Vault(opening: try bytes(of: path), passphrase: secret("new"), by: .cheapForTesting)
        for item in present.state.items.values { _ = try item.open(under: opened.masterKey, of: present.id) }
        #expect(present.state.items.count == 2)
    }

    @Test("the rollback guard knows the rekeyed vault, and refuses the copy from before")
    func rollback() async throws {
        let state = try SharedFolder()
        let freshness = Freshness.guarded(by: GenerationFolder(at: state.path))
        let old = try await make(freshness: freshness)
        try await rekey(freshness: freshness)
        #expect(state.contents.count == 1)
        let vault = try open("new", freshness: freshness)
        #expect(try await vault.generation == 4)
        await vault.close()
        try overwrite(path, with: old)
        #expect(throws: SecureStorageError.rolledBack(found: 3, expected: 4)) {
            try open("old", freshness: freshness)
        }
    }

    @Test("a vault that needs the chip needs it after rekeying, and the old passphrase counts as a wrong one")
    func chipSlot() async throws {
        _ = try await make(device: chip)
        try await rekey(device: chip)
        #expect(throws: SecureStorageError.backend(.tpm, .required)) { try open("new") }
        #expect(throws: SecureStorageError.backend(.tpm, .authenticationFailed(attemptsLeft: 2))) {
            try open("old", device: chip)
        }
        let vault = try open("new", device: chip)
        #expect(text(try await vault.load(try name("share"))) == "the share")
        #expect(try await vault.device(ofSlot: 1) == .tpm)
        await vault.close()
    }

    @Test("a chip that fails leaves the vault unchanged")
    func chipFails() async throws {
        let before = try await make(device: chip)
        let vault = try open("old", device: chip)
        chip.fail(with: .timedOut)
        await #expect(throws: SecureStorageError.backend(.tpm, .timedOut)) { try await vault.rekey(to: secret("new")) }
        chip.fail(with: nil)
        await vault.close()
        #expect(try bytes(of: path) == before)
        await (try open("old", device: chip)).close()
    }

    @Test("a store with a recovery passphrase beside the chip is not rekeyed: one of the two would be lost")
    func mixedSlots() async throws {
        _ = try await make(device: chip)
        let vault = try open("old", device: chip)
        try await vault.addPassphrase(secret("recovery"))
        let before = try bytes(of: path)
        await #expect(throws: SecureStorageError.slotNotRemovable) { try await vault.rekey(to: secret("new")) }
        #expect(try bytes(of: path) == before)
        await vault.close()
        // Opened by either passphrase.
        for (passphrase, device) in [("old", chip), ("recovery", nil)] as [(String, ChipDouble?)] {
            let vault = try open(passphrase, device: device)
            await #expect(throws: SecureStorageError.slotNotRemovable) { try await vault.rekey(to: secret("new")) }
            await vault.close()
        }
        #expect(try bytes(of: path) == before)
    }

    @Test("a vault that is closed or open for reading only is not rekeyed, nor one with an empty new passphrase")
    func refused() async throws {
        let before = try await make()
        let reader = try VaultFile.readCheaply(at: path, passphrase: "old")
        await #expect(throws: SecureStorageError.notWritable) { try await reader.rekey(to: secret("new")) }
        let vault = try open("old")
        await #expect(throws: SecureStorageError.outsideLimits(.passphrase)) { try await vault.rekey(to: secret("")) }
        await vault.close()
        await #expect(throws: SecureStorageError.closed) { try await vault.rekey(to: secret("new")) }
        #expect(try bytes(of: path) == before)
    }

    @Test("a vault of an older version, with PBKDF2 or a passphrase as bytes, becomes one of the present version")
    func olderVersions() async throws {
        for stretching in [Stretching.pbkdf2(rounds: 100_000), .standard] {
            let random = SeededRandom(seed: 7)
            let made = try Vault(
                passphrase: secret("old"), form: .given, device: nil, anchor: nil, stretching: stretching,
                by: .cheapForTesting, random: random)
            let state = try made.saving(
                secret("the share"), as: try name("share"), attributes: .critical(.keyShare), random: random)
            try AtomicFile.write(try made.encoded(state, random: random), to: path, replacing: .allowed)
            try await rekey()
            let image = try VaultImage(decoding: try bytes(of: path))
            #expect(image.slots.map(\.stretching) == [.standard])
            #expect(image.slots.map(\.form) == [.normalised])
            let vault = try open("new")
            #expect(text(try await vault.load(try name("share"))) == "the share")
            await vault.close()
        }
    }

    @Test("the real derivation opens a rekeyed vault, and an independent reader's format has no new version")
    func realDerivation() async throws {
        let vault = try VaultFile.create(
            at: path, passphrase: secret("old"), freshness: .unchecked, random: SystemRandom())
        try await vault.save(secret("the share"), as: try name("share"), attributes: .critical(.keyShare))
        try await vault.rekey(to: secret("new"))
        await vault.close()
        #expect(throws: SecureStorageError.wrongPassphrase) {
            try VaultFile.openReadOnly(at: path, passphrase: secret("old"), freshness: .unchecked)
        }
        let again = try VaultFile.openReadOnly(at: path, passphrase: secret("new"), freshness: .atLeast(3))
        #expect(text(try await again.load(try name("share"))) == "the share")
        #expect(try bytes(of: path)[8..<10].elementsEqual([0, 3]))
    }

    @Test("the public part of a vault file shows its id, generation, passphrases and device without a passphrase")
    func head() async throws {
        #expect(throws: SecureStorageError.notFound) { try VaultFile.head(ofFileAt: path) }
        _ = try await make(device: chip)
        let vault = try open("old", device: chip)
        #expect(
            try VaultFile.head(ofFileAt: path) == VaultHead(id: vault.id, generation: 3, slotCount: 1, device: .tpm))
        try await vault.addPassphrase(secret("second"))
        #expect(
            try VaultFile.head(ofFileAt: path) == VaultHead(id: vault.id, generation: 4, slotCount: 2, device: .tpm))
        await vault.close()
        try overwrite(path, with: [1, 2, 3])
        #expect(throws: SecureStorageError.notAVault) { try VaultFile.head(ofFileAt: path) }
    }
}
