import Encoding
import ExchangeTestSupport
import Foundation
import SecretStoreTestSupport
import Secrets
import SecureStorage
import TestSupport
import Testing
import Time

@testable import ExchangeCredentials

@Suite struct KeyringTests {
    private let store = InMemoryStore(forTestingHonouring: Set(Accessibility.allCases))
    private let now = Timestamp(milliseconds: 1_700_000_000_000)

    private func credential(passphrase: String? = nil, last: String = "A") throws -> ExchangeCredential {
        try ExchangeCredential(
            key: APIKey(DocumentedKeys.binanceKey.dropLast() + last, of: .binance),
            secret: SigningSecret(reading: secret(DocumentedKeys.binanceSecret), of: .binance),
            passphrase: passphrase.map { secret($0) }, created: now)
    }

    @Test("a credential is stored, listed, replaced and removed, in the namespace of its exchange")
    func life() async throws {
        let keyring = Keyring(in: store)
        let label = try KeyLabel("main")
        try await keyring.add(try credential(passphrase: "pass"), as: label)
        #expect(await store.names(in: "fueki.exchange.binance").map(\.account) == ["key/main"])
        #expect(await store.names(in: "fueki.exchange.kraken").isEmpty)
        let record = try #require(try await keyring.record(label, at: .binance))
        #expect(record.method == .binanceHMAC && record.hasPassphrase && record.created == now)
        #expect(record.hint == "vmPU…" && record.lastUsed == nil && record.rights == nil)
        #expect(try await keyring.records(at: .binance) == [record])
        #expect(try await keyring.records(at: .kraken).isEmpty)
        await #expect(throws: CredentialError.labelTaken) { try await keyring.add(try self.credential(), as: label) }

        try await keyring.replace(with: try credential(last: "B"), as: label)
        let replaced = try await keyring.record(label, at: .binance)
        #expect(replaced?.fingerprint != record.fingerprint)
        #expect(replaced?.hasPassphrase == false)
        #expect(try await keyring.remove(label, at: .binance))
        #expect(try await keyring.record(label, at: .binance) == nil)
        await #expect(throws: CredentialError.noKey) {
            try await keyring.replace(with: try self.credential(), as: label)
        }
    }

    @Test("a stored credential has all that was given, and a changed one is refused", arguments: [nil, "pass"])
    func roundTrip(passphrase: String?) throws {
        let encoded = try credential(passphrase: passphrase).encoded
        let decoded = try ExchangeCredential(decoding: encoded)
        #expect(decoded.key.text == DocumentedKeys.binanceKey.dropLast() + "A")
        let isSame = decoded.encoded.matches(encoded)
        #expect(isSame)
        let bytes = encoded.withUnsafeBytes { Array($0) }
        for length in 0..<bytes.count {
            let cut = encoded.prefix(length)
            #expect(throws: CredentialError.store(.wrongKind)) { _ = try ExchangeCredential(decoding: cut) }
        }
        let longer = SecretBytes(count: bytes.count + 1) { $0.copyBytes(from: bytes) }
        #expect(throws: CredentialError.store(.wrongKind)) { _ = try ExchangeCredential(decoding: longer) }
    }

    @Test("a use and the rights are noted beside the key, at most once an hour, and not for another key")
    func use() async throws {
        let keyring = Keyring(in: store)
        let label = try KeyLabel("main")
        try await keyring.add(try credential(), as: label)
        let key = try credential().key
        try await keyring.noteUse(of: label, key, now: now)
        try await keyring.noteUse(of: label, key, now: now.adding(.seconds(1)))
        #expect(try await keyring.record(label, at: .binance)?.lastUsed == now)
        try await keyring.noteUse(of: label, key, now: now.adding(Timestamp.Span(milliseconds: 3_600_001)))
        #expect(
            try await keyring.record(label, at: .binance)?.lastUsed
                == now.adding(Timestamp.Span(milliseconds: 3_600_001)))
        try await keyring.noteRights([.read, .unknown("x")], of: label, key, now: now)
        #expect(try await keyring.record(label, at: .binance)?.rights == [.read, .unknown("x")])
        // After a rotation, nothing is known about the new key.
        try await keyring.replace(with: try credential(last: "B"), as: label)
        #expect(try await keyring.record(label, at: .binance)?.rights == nil)
    }

    @Test("a revoked key leaves a tombstone, and is refused for ever, under any label")
    func revocation() async throws {
        let keyring = Keyring(in: store)
        let label = try KeyLabel("main")
        try await keyring.add(try credential(), as: label)
        let tombstone = try await keyring.revoke(label, at: .binance, now: now)
        #expect(try await keyring.tombstones(at: .binance) == [tombstone])
        #expect(await store.names(in: "fueki.exchange.binance").map(\.account) == ["revoked/\(tombstone.fingerprint)"])
        await #expect(throws: CredentialError.noKey) { _ = try await keyring.credential(label, at: .binance) }
        let other = try KeyLabel("other")
        await #expect(throws: CredentialError.revoked) { try await keyring.add(try self.credential(), as: other) }
        try await keyring.add(try credential(last: "B"), as: label)
        await #expect(throws: CredentialError.revoked) {
            try await keyring.replace(with: try self.credential(), as: label)
        }
        await #expect(throws: CredentialError.noKey) {
            _ = try await keyring.revoke(other, at: .binance, now: self.now)
        }
    }

    @Test("an interrupted revocation is finished at the next use of the key")
    func interrupted() async throws {
        let keyring = Keyring(in: store)
        let label = try KeyLabel("main")
        try await keyring.add(try credential(), as: label)
        // The tombstone is written first; the process ends there.
        let tombstone = Tombstone(
            venue: .binance, label: label, fingerprint: try credential().key.fingerprint, revoked: now)
        let bytes = tombstone.encoded
        try await store.save(
            SecretBytes(count: bytes.count) { $0.copyBytes(from: bytes) },
            as: ItemName(service: "fueki.exchange.binance", account: "revoked/\(tombstone.fingerprint)"),
            attributes: .sensitive(.other))
        #expect(try await keyring.record(label, at: .binance) == nil)
        await #expect(throws: CredentialError.revoked) { _ = try await keyring.credential(label, at: .binance) }
        #expect(await store.names(in: nil).map(\.account) == ["revoked/\(tombstone.fingerprint)"])
    }

    @Test("the keyring keeps its keys in a vault file")
    func vault() async throws {
        let folder = try SharedFolder()
        let path = "\(folder.path)/keys.vault"
        let vault = try VaultFile.create(
            at: path, passphrase: secret("a long passphrase"), freshness: .unchecked, random: SystemRandom())
        let label = try KeyLabel("main")
        try await Keyring(in: vault).add(try credential(), as: label)
        await vault.close()
        let reopened = try VaultFile.openReadOnly(
            at: path, passphrase: secret("a long passphrase"), freshness: .unchecked)
        let found = try await Keyring(in: reopened).credential(label, at: .binance)
        #expect(found.key == (try credential().key))
        let file = try Data(contentsOf: URL(filePath: path))
        #expect(file.range(of: Data(DocumentedKeys.binanceSecret.utf8)) == nil)
        #expect(file.range(of: Data(DocumentedKeys.binanceKey.utf8)) == nil)
    }

    @Test("neither a key nor a credential prints its contents")
    func printing() throws {
        let credential = try credential(passphrase: "pass")
        let key = credential.key
        var dumped = ""
        dump(key, to: &dumped)
        for text in [
            "\(key)", String(reflecting: key), dumped, credential.description, "\([key])", "\(CredentialError.revoked)",
        ] {
            #expect(!text.contains(DocumentedKeys.binanceKey.dropFirst(4).prefix(8)), "\(text)")
            #expect(!text.contains(DocumentedKeys.binanceSecret.prefix(8)))
        }
    }

    @Test("the stored forms of a use and of a tombstone are read back, and nothing else is")
    func records() throws {
        var use = CredentialUse(fingerprint: String(repeating: "ab", count: 16))
        use.lastUsed = now
        use.probed = now
        use.rights = [.read, .withdraw, .unknown("enableX")]
        #expect(try CredentialUse(decoding: use.encoded) == use)
        for length in 0..<use.encoded.count {
            #expect(throws: EncodingError.self) { _ = try CredentialUse(decoding: Array(use.encoded.prefix(length))) }
        }
        #expect(throws: EncodingError.self) { _ = try CredentialUse(decoding: use.encoded + [0]) }
        let tombstone = Tombstone(venue: .kraken, label: try KeyLabel("a"), fingerprint: "f", revoked: now)
        #expect(try Tombstone(decoding: tombstone.encoded, venue: .kraken, fingerprint: "f") == tombstone)
        #expect(throws: EncodingError.self) { _ = try Tombstone(decoding: [2], venue: .kraken, fingerprint: "f") }
    }
}
