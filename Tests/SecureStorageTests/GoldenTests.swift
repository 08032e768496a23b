internal import Foundation
internal import SecretStoreTestSupport
internal import Secrets
internal import TestSupport
internal import Testing

@testable internal import SecureStorage

/// A vault file in the repository, and the steps that make the same bytes again.
private struct GoldenVault: CustomTestStringConvertible {
    let file: String
    let passphrases: [String]
    let items: [(account: String, attributes: ItemAttributes, text: String)]
    let stretching: Stretching
    /// The form of every passphrase: the given one is that of versions 1 and 2.
    var form = PassphraseForm.given
    /// The device that the first passphrase needs, and that counts.
    var device: (any DeviceSealer)?

    var testDescription: String { file }

    static let all: [GoldenVault] = [
        GoldenVault(
            file: "one-item.vault", passphrases: ["correct horse battery staple"],
            items: [("share-1", .critical(.keyShare), "a share, or what stands for one")], stretching: .full),
        GoldenVault(
            file: "three-items.vault", passphrases: ["first passphrase", "zw\u{f6}lf Boxk\u{e4}mpfer"],
            items: [
                ("b", .sensitive(.accessToken), "token"), ("a", .critical(.seed), "0123456789abcdef"),
                ("https://mint.example/c", .critical(.other), "x"),
            ],
            stretching: .argon2id(memoryKiB: 19 * 1024, passes: 2)),
        GoldenVault(
            file: "legacy.vault", passphrases: ["old passphrase"], items: [("a", .critical(.mnemonic), "old words")],
            stretching: .pbkdf2(rounds: 100_000)),
        GoldenVault(file: "empty.vault", passphrases: ["p"], items: [], stretching: .full),
        GoldenVault(
            file: "device.vault", passphrases: ["1234", "a passphrase without the device"],
            items: [("a", .critical(.keyShare), "a share")], stretching: .full, device: TransparentChip()),
        // Two spellings that differ in every way that NFKD levels: composed and decomposed, a ligature, a wide space.
        GoldenVault(
            file: "normalised.vault", passphrases: ["zw\u{f6}lf e\u{fb03}ziente\u{3000}W\u{f6}rter", "second"],
            items: [("a", .critical(.keyShare), "a share")], stretching: .full, form: .normalised),
        GoldenVault(
            file: "normalised-device.vault", passphrases: ["\u{ff11}234", "a passphrase without the device"],
            items: [("a", .critical(.keyShare), "a share")], stretching: .full, form: .normalised,
            device: TransparentChip()),
    ]

    var url: URL {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Golden/\(file)")
    }

    /// The steps that made the file. The order of their random draws is part of the test, not of the format.
    func make() throws -> [UInt8] {
        let random = SeededRandom(seed: 2026)
        var vault = try Vault(
            passphrase: secret(passphrases[0]), form: form, device: device, anchor: device?.backend,
            stretching: stretching, by: .real, random: random)
        for (number, passphrase) in passphrases.enumerated().dropFirst() {
            vault.state = try vault.settingPassphrase(
                secret(passphrase), ofSlot: UInt8(number + 1), stretching: stretching, form: form, by: .real,
                random: random)
        }
        for item in items {
            vault.state = try vault.saving(
                secret(item.text), as: try name(item.account, in: "golden"), attributes: item.attributes,
                random: random)
        }
        if vault.state.generation == 0 { vault.state = vault.state.next }
        return try vault.encoded(vault.state, random: random)
    }
}

/// A device for golden files: what it seals is the secret, exclusive or the authorization.
private struct TransparentChip: DeviceSealer {
    var backend: StoreBackend { .tpm }

    func seal(
        _ secret: borrowing SecretBytes, authorizedBy authorization: borrowing SecretBytes
    ) throws(SecureStorageError) -> [UInt8] {
        authorization.withUnsafeBytes { mask in secret.withUnsafeBytes { zip($0, mask).map { $0 ^ $1 } } }
    }

    func open(
        _ sealed: [UInt8], authorizedBy authorization: borrowing SecretBytes
    ) throws(SecureStorageError) -> SecretBytes {
        SecretBytes(count: sealed.count) { memory in
            authorization.withUnsafeBytes { mask in
                for (place, byte) in sealed.enumerated() { memory[place] = byte ^ mask[place] }
            }
        }
    }
}

@Suite("Golden vaults")
struct GoldenTests {
    @Test("the files in the repository open, and contain the expected values", arguments: GoldenVault.all)
    fileprivate func open(_ golden: GoldenVault) throws {
        let bytes = [UInt8](try Data(contentsOf: golden.url))
        for passphrase in golden.passphrases {
            let vault = try Vault(opening: bytes, passphrase: secret(passphrase), device: golden.device)
            #expect(vault.state.items.count == golden.items.count)
            for item in golden.items {
                let name = try name(item.account, in: "golden")
                #expect(text(try vault.load(name)) == item.text)
                #expect(vault.state.items[name]?.attributes == item.attributes)
            }
        }
    }

    @Test("the same steps with the same random bytes give the same bytes", arguments: GoldenVault.all)
    fileprivate func make(_ golden: GoldenVault) throws {
        let bytes = try golden.make()
        // `FUEKI_WRITE_GOLDEN=1 swift test` writes the files again. That is a change of format, and a new version.
        if ProcessInfo.processInfo.environment["FUEKI_WRITE_GOLDEN"] != nil { try Data(bytes).write(to: golden.url) }
        #expect(bytes == [UInt8](try Data(contentsOf: golden.url)))
    }

    @Test(
        "a vault of version 3 opens with every spelling of its passphrase",
        arguments: [
            ("normalised.vault", "zwo\u{308}lf effiziente Wo\u{308}rter"), ("normalised-device.vault", "1234"),
        ])
    func otherSpelling(_ file: String, _ passphrase: String) throws {
        let golden = try #require(GoldenVault.all.first { $0.file == file })
        let bytes = [UInt8](try Data(contentsOf: golden.url))
        #expect(bytes[9] == 3)
        let vault = try Vault(opening: bytes, passphrase: secret(passphrase), device: golden.device)
        #expect(vault.openedBy == 1)
        #expect(throws: SecureStorageError.wrongPassphrase) {
            _ = try Vault(opening: bytes, passphrase: secret(passphrase + " "), device: golden.device)
        }
    }

    @Test("a generation file has 33 bytes, and names its vault")
    func generationFile() throws {
        let vault = VaultID(unchecked: [UInt8](0..<16))
        let bytes = GenerationFolder.encode(0x0102_0304_0506_0708, of: vault)
        #expect(bytes == [UInt8]("FuekiGen".utf8) + [1] + [UInt8](0..<16) + [1, 2, 3, 4, 5, 6, 7, 8])
        #expect(try GenerationFolder.decode(bytes, of: vault) == 0x0102_0304_0506_0708)
        for length in bytes.indices {
            #expect(throws: (any Error).self) { try GenerationFolder.decode([UInt8](bytes[..<length]), of: vault) }
        }
        #expect(throws: (any Error).self) {
            try GenerationFolder.decode(bytes, of: VaultID(unchecked: [UInt8](repeating: 0, count: 16)))
        }
    }
}
