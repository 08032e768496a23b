internal import Encoding
internal import SecretStoreTestSupport
internal import Secrets
internal import TestSupport
internal import Testing

@testable internal import SecureStorage

/// An attacker who can write to the file but not open it.
struct Adversary {
    /// Returns the bytes with a correct checksum, which anyone can compute.
    static func settingChecksum(_ bytes: [UInt8]) -> [UInt8] {
        let body = [UInt8](bytes.dropLast(VaultImage.checksumSize))
        return body + Sealing.digest(of: body)
    }
}

@Suite("Vault format")
struct VaultFormatTests {
    private static let passphrase = "correct horse"

    /// A vault with two passphrases and two items of one size.
    private static func makeBytes(seed: UInt64 = 1, shares: [String] = ["share one", "share two"]) throws -> [UInt8] {
        let random = SeededRandom(seed: seed)
        var vault = try Vault(passphrase: secret(passphrase), by: .cheapForTesting, random: random)
        for (number, share) in shares.enumerated() {
            vault.state = try vault.saving(
                secret(share), as: try name("\(number)"), attributes: .critical(.keyShare), random: random)
        }
        vault.state = try vault.settingPassphrase(secret("other"), ofSlot: 2, by: .cheapForTesting, random: random)
        return try vault.encoded(vault.state, random: random)
    }

    /// Opens the vault, and every item of it.
    @discardableResult
    private static func open(_ bytes: [UInt8]) throws(SecureStorageError) -> [ItemName: String] {
        let vault = try Vault(opening: bytes, passphrase: secret(passphrase), by: .cheapForTesting)
        var opened: [ItemName: String] = [:]
        for name in vault.state.items.keys { opened[name] = text(try vault.load(name)) }
        return opened
    }

    @Test("a vault opens, and encoding its parts gives the same bytes")
    func roundTrip() throws {
        let bytes = try Self.makeBytes()
        #expect(try Self.open(bytes) == [try name("0"): "share one", try name("1"): "share two"])
        #expect(try VaultImage(decoding: bytes).encoded == bytes)
    }

    @Test("a vault truncated at any length is reported as truncated")
    func truncated() throws {
        let bytes = try Self.makeBytes()
        for length in bytes.indices {
            #expect(throws: SecureStorageError.truncated) { try Self.open([UInt8](bytes[..<length])) }
        }
        #expect(throws: SecureStorageError.damaged) { try Self.open(bytes + [0]) }
    }

    @Test("with any bit flipped, it is reported as damaged, of another version, or not a vault")
    func bitFlips() throws {
        let bytes = try Self.makeBytes()
        for (offset, bit) in bytes.indices.flatMap({ offset in (0..<8).map { (offset, $0) } }) {
            var flipped = bytes
            flipped[offset] ^= 1 << bit
            let error = #expect(throws: SecureStorageError.self) { try Self.open(flipped) }
            switch offset {
            case ..<8: #expect(error == .notAVault)
            case ..<10:
                let version: UInt16 = 3 ^ 1 << UInt16(bit + (offset == 8 ? 8 : 0))
                #expect(error == ((1...3).contains(version) ? .damaged : .unsupportedVersion(version)))
            case ..<14: #expect(error == .truncated || error == .damaged)
            default: #expect(error == .damaged)
            }
        }
    }

    @Test("with any bit flipped and the checksum corrected, it is refused")
    func bitFlipsWithChecksum() throws {
        let bytes = try Self.makeBytes()
        let body = bytes.count - VaultImage.checksumSize
        var seen: [String: Int] = [:]
        for (offset, bit) in (0..<body).flatMap({ offset in (0..<8).map { (offset, $0) } }) {
            var flipped = bytes
            flipped[offset] ^= 1 << bit
            flipped = Adversary.settingChecksum(flipped)
            do {
                try Self.open(flipped)
                Issue.record("bit \(bit) of byte \(offset) makes no difference")
            } catch {
                seen["\(error)", default: 0] += 1
            }
        }
        // Each of the defences is tested at least once.
        for error: SecureStorageError in [
            .notAVault, .damaged, .wrongPassphrase, .tampered(.header), .tampered(.item), .tooWeakKDF, .tooCostlyKDF,
        ] {
            #expect(seen["\(error)"] != nil, "\(error)")
        }
    }

    @Test("swapped items are refused as swapped")
    func swapped() throws {
        let bytes = try Self.makeBytes()
        var image = try VaultImage(decoding: bytes)
        let half = image.items.count / 2
        let (first, second) = (image.items[..<half], image.items[half...])
        image.items = [UInt8](second + first)
        #expect(throws: SecureStorageError.itemSwapped) { try Self.open(image.encoded) }
        image.items = [UInt8](first + first)
        #expect(throws: SecureStorageError.itemSwapped) { try Self.open(image.encoded) }
    }

    @Test("a missing, additional or foreign item is refused")
    func copied() throws {
        let bytes = try Self.makeBytes()
        let other = try VaultImage(decoding: try Self.makeBytes(seed: 2))
        let image = try VaultImage(decoding: bytes)
        let half = image.items.count / 2

        var copy = image
        copy.items = [UInt8](other.items[..<half] + image.items[half...])
        #expect(throws: SecureStorageError.tampered(.item)) { try Self.open(copy.encoded) }

        for items in [[UInt8](image.items[..<half]), image.items + image.items[..<half]] {
            var copy = image
            copy.items = items
            // The size of the file is in the header, so the MAC already detects it.
            #expect(throws: SecureStorageError.tampered(.header)) { try Self.open(copy.encoded) }
        }
    }

    @Test("a header, an index or a slot of another vault, or of an earlier state, is refused")
    func spliced() throws {
        let old = try VaultImage(decoding: try Self.makeBytes(shares: ["share one", "share TWO"]))
        let new = try VaultImage(decoding: try Self.makeBytes())
        #expect(old.id == new.id)
        var image = new
        image.sealedIndex = old.sealedIndex
        #expect(throws: SecureStorageError.tampered(.header)) { try Self.open(image.encoded) }
        image = new
        image.generation += 1
        #expect(throws: SecureStorageError.tampered(.header)) { try Self.open(image.encoded) }
        image = new
        image.slots.removeLast()
        #expect(throws: SecureStorageError.tampered(.header)) { try Self.open(image.encoded) }
        image = new
        image.slots = try VaultImage(decoding: try Self.makeBytes(seed: 2)).slots
        #expect(throws: SecureStorageError.wrongPassphrase) { try Self.open(image.encoded) }
    }

    @Test("a sealed index is bound to its generation, beneath the MAC")
    func indexBound() throws {
        let bytes = try Self.makeBytes()
        let vault = try Vault(opening: bytes, passphrase: secret(Self.passphrase), by: .cheapForTesting)
        var image = try VaultImage(decoding: bytes)
        image.generation += 1
        image.mac = Sealing.authenticationCode(
            of: image.header, key: Sealing.key(from: vault.masterKey, salt: image.id.bytes, purpose: Purpose.header))
        #expect(throws: SecureStorageError.tampered(.index)) { try Self.open(image.encoded) }
    }

    @Test("a sealed item opens only with its vault, name, attributes and generation")
    func itemBound() throws {
        let random = SeededRandom(seed: 3)
        let key = SecretBytes(count: 32, from: random)
        let vault = VaultID(unchecked: random.publicBytes(count: 16))
        let other = VaultID(unchecked: random.publicBytes(count: 16))
        let item = try SealedItem(
            sealing: secret("share"), as: try name("a"), attributes: .critical(.keyShare), generation: 7, under: key,
            of: vault, random: random)
        func altered(
            name: ItemName? = nil, attributes: ItemAttributes? = nil, generation: UInt64? = nil
        ) -> SealedItem {
            SealedItem(
                name: name ?? item.name, attributes: attributes ?? item.attributes,
                generation: generation ?? item.generation, salt: item.salt, sealed: item.sealed)
        }
        #expect(text(try altered().open(under: key, of: vault)) == "share")
        let tampered = SecureStorageError.tampered(.item)
        #expect(throws: tampered) { _ = text(try item.open(under: key, of: other)) }
        for wrong in [
            altered(name: try name("b")), altered(name: try name("a", in: "rest")),
            altered(attributes: .critical(.seed)), altered(attributes: .sensitive(.keyShare)), altered(generation: 8),
        ] {
            #expect(throws: tampered) { _ = text(try wrong.open(under: key, of: vault)) }
        }
    }

    @Test("the same secret saved twice gives different bytes: no key is used twice")
    func freshKeys() throws {
        let random = SeededRandom(seed: 4)
        let vault = try Vault(passphrase: secret("p"), by: .cheapForTesting, random: random)
        // Two continuations of one state, as after a restored backup: the generation is the same in both.
        let first = try vault.saving(secret("share"), as: try name("a"), attributes: .critical(.seed), random: random)
        let second = try vault.saving(secret("share"), as: try name("a"), attributes: .critical(.seed), random: random)
        let items = [first, second].compactMap { $0.items.values.first }
        #expect(items[0].generation == items[1].generation)
        #expect(items[0].salt != items[1].salt)
        #expect(items[0].sealed != items[1].sealed)
        #expect(try vault.encoded(first, random: random) != vault.encoded(first, random: random))
    }

    // MARK: The price of a passphrase

    /// Returns the bytes of a vault whose only slot has this cost, and a derivation that fails if it is even begun.
    private func openWithPrice(_ stretching: Stretching) throws(SecureStorageError) {
        let random = SeededRandom(seed: 6)
        var vault = try Vault(
            passphrase: secret(Self.passphrase), stretching: stretching, by: .cheapForTesting, random: random)
        vault.state = vault.state.next
        let bytes = try vault.encoded(vault.state, random: random)
        _ = try Vault(opening: bytes, passphrase: secret(Self.passphrase), by: .cheapForTesting)
    }

    @Test("a slot below the minimum or above the maximum is refused before any derivation")
    func prices() throws {
        for weak in [
            Stretching.argon2id(memoryKiB: 19 * 1024 - 1, passes: 3), .argon2id(memoryKiB: 64 * 1024, passes: 1),
            .argon2id(memoryKiB: 0, passes: 0), .pbkdf2(rounds: 99_999), .pbkdf2(rounds: 0),
        ] {
            #expect(throws: SecureStorageError.tooWeakKDF) { try openWithPrice(weak) }
            #expect(throws: SecureStorageError.tooWeakKDF) {
                _ = try Stretcher.real.derive(secret("p"), weak, [UInt8](repeating: 0, count: 16)).count
            }
        }
        for costly in [
            Stretching.argon2id(memoryKiB: 1024 * 1024 + 1, passes: 3), .argon2id(memoryKiB: .max, passes: .max),
            .argon2id(memoryKiB: 64 * 1024, passes: 11), .pbkdf2(rounds: 10_000_001), .pbkdf2(rounds: .max),
        ] {
            #expect(throws: SecureStorageError.tooCostlyKDF) { try openWithPrice(costly) }
        }
        for fair in [
            Stretching.argon2id(memoryKiB: 19 * 1024, passes: 2), .argon2id(memoryKiB: 1024 * 1024, passes: 10),
            .pbkdf2(rounds: 100_000), .pbkdf2(rounds: 10_000_000),
        ] {
            try openWithPrice(fair)
        }
    }

    // MARK: Strictness

    @Test("misordered, missing or too many slots, and impossible generations, are refused")
    func strict() throws {
        let bytes = try Self.makeBytes()
        let image = try VaultImage(decoding: bytes)
        var wrong: [VaultImage] = []
        for slots in [image.slots.reversed(), [image.slots[0], image.slots[0]], []] {
            var copy = image
            copy.slots = slots
            wrong.append(copy)
        }
        for generation: UInt64 in [0, .max, (1 << 62) + 1] {
            var copy = image
            copy.generation = generation
            wrong.append(copy)
        }
        for image in wrong {
            #expect(throws: SecureStorageError.damaged) { try VaultImage(decoding: image.encoded) }
        }
        var later = bytes
        later[9] = 4
        #expect(throws: SecureStorageError.unsupportedVersion(4)) {
            try VaultImage(decoding: Adversary.settingChecksum(later))
        }
        #expect(throws: SecureStorageError.outsideLimits(.fileSize)) {
            try VaultImage(decoding: [UInt8](repeating: 0, count: (16 << 20) + 1))
        }
    }

    @Test("a misordered index, a repeated name, and an entry of the future are refused")
    func strictIndex() throws {
        let vault = try Vault(opening: try Self.makeBytes(), passphrase: secret(Self.passphrase), by: .cheapForTesting)
        let items = vault.state.items.values.sorted { $0.name < $1.name }
        let index = VaultIndex(of: items)
        #expect(try VaultIndex(decoding: index.encoded, upTo: 3) == index)
        for items in [items.reversed(), [items[0], items[0]]] {
            #expect(throws: EncodingError.notCanonical) {
                try VaultIndex(decoding: VaultIndex(of: items).encoded, upTo: 3)
            }
        }
        #expect(throws: EncodingError.notCanonical) { try VaultIndex(decoding: index.encoded, upTo: 1) }
        #expect(throws: EncodingError.leftOver(count: 1)) { try VaultIndex(decoding: index.encoded + [0], upTo: 3) }
    }
}
