import ExchangeTestSupport
import Foundation
import SecretStoreTestSupport
import Secrets
import SecureStorage
import TestSupport
import Testing
import Time

@testable import ExchangeCredentials

@Suite("A user's folder of keys") struct HomeTests {
    private let folder: SharedFolder

    init() throws { folder = try SharedFolder() }
    private var home: ExchangeHome { ExchangeHome(path: "\(folder.path)/exchanges") }
    private let passphrase = "the passphrase"
    private let now = Timestamp(milliseconds: 1_700_000_000_000)

    private func credential(_ first: String = "8") throws -> ExchangeCredential {
        try ExchangeCredential(
            key: APIKey(first + DocumentedKeys.krakenKey.dropFirst(), of: .kraken),
            secret: SigningSecret(reading: secret(DocumentedKeys.krakenSecret), of: .kraken), passphrase: nil,
            created: now)
    }

    /// Makes the vault with the key `main`.
    private func make() async throws -> KeyLabel {
        let label = try KeyLabel("main")
        let keys = try await home.createKeys(passphrase: secret(passphrase), random: SystemRandom())
        try await keys.keyring.add(try credential(), as: label)
        await keys.close()
        return label
    }

    private func copy(_ from: String, _ to: String) throws {
        try? FileManager.default.removeItem(atPath: to)
        try FileManager.default.copyItem(atPath: from, toPath: to)
    }

    @Test("keys are stored under a passphrase, and read again")
    func stored() async throws {
        await #expect(throws: CredentialError.noKey) { try await home.requireKeys() }
        await #expect(throws: CredentialError.noKey) {
            _ = try await home.openKeys(passphrase: secret(passphrase), random: SystemRandom())
        }
        let label = try await make()
        let keys = try await home.openKeysForRequests(passphrase: secret(passphrase))
        #expect(try await keys.keyring.venue(of: label) == .kraken)
        await #expect(throws: CredentialError.noKey) { _ = try await keys.keyring.venue(of: try KeyLabel("other")) }
        await #expect(throws: CredentialError.store(.wrongPassphrase)) {
            _ = try await home.openKeysForRequests(passphrase: secret("another"))
        }
        await #expect(throws: CredentialError.store(.alreadyExists)) {
            _ = try await home.createKeys(passphrase: secret(passphrase), random: SystemRandom())
        }
        let mode = try FileManager.default.attributesOfItem(atPath: "\(home.path)/keys.vault")[.posixPermissions]
        #expect(mode as? Int == 0o600)
        let bytes = try Data(contentsOf: URL(filePath: "\(home.path)/keys.vault"))
        #expect(bytes.range(of: Data(DocumentedKeys.krakenKey.utf8)) == nil)
    }

    @Test("a vault that is missing, or older than one that was seen, is refused: it may lack a revocation")
    func older() async throws {
        let label = try await make()
        let (vault, saved) = ("\(home.path)/keys.vault", "\(folder.path)/saved.vault")
        try copy(vault, saved)
        let keys = try await home.openKeys(passphrase: secret(passphrase), random: SystemRandom())
        try await keys.keyring.revoke(label, at: .kraken, now: now)
        await keys.close()
        try copy(saved, vault)
        await #expect(throws: CredentialError.self) {
            _ = try await home.openKeys(passphrase: secret(passphrase), random: SystemRandom())
        }
        await #expect(throws: CredentialError.self) {
            _ = try await home.openKeysForRequests(passphrase: secret(passphrase))
        }
        try FileManager.default.removeItem(atPath: vault)
        for open in 0..<3 {
            await #expect(throws: CredentialError.keysMissing) {
                switch open {
                case 0: _ = try await home.openKeys(passphrase: secret(passphrase), random: SystemRandom())
                case 1: _ = try await home.openKeysForRequests(passphrase: secret(passphrase))
                default: _ = try await home.createKeys(passphrase: secret(passphrase), random: SystemRandom())
                }
            }
        }
        await #expect(throws: CredentialError.keysMissing) { try await home.requireKeys() }
    }

    @Test("a revocation does not wait for a request of another process, and the request's note does not undo it")
    func revocationDuringRequest() async throws {
        let label = try await make()
        let requests = try await home.openKeysForRequests(passphrase: secret(passphrase))
        let key = try await requests.keyring.credential(label, at: .kraken).key
        try await requests.keyring.noteRights([.read], of: label, key, now: now)
        #expect(try await requests.keyring.record(label, at: .kraken)?.rights == [.read])
        let keys = try await home.openKeys(passphrase: secret(passphrase), random: SystemRandom())
        try await keys.keyring.revoke(label, at: .kraken, now: now)
        #expect(await home.saveNotes(of: requests, passphrase: secret(passphrase), random: SystemRandom()) == false)
        await keys.close()
        #expect(await home.saveNotes(of: requests, passphrase: secret(passphrase), random: SystemRandom()))
        let after = try await home.openKeysForRequests(passphrase: secret(passphrase))
        #expect(try await after.store.names(in: nil).map(\.account) == ["revoked/\(key.fingerprint)"])
        #expect(try await after.keyring.tombstone(of: label)?.fingerprint == key.fingerprint)
        await #expect(throws: CredentialError.noKey) { _ = try await after.keyring.venue(of: label) }
    }

    @Test("keys for requests cannot be changed, and a note is stored later")
    func notes() async throws {
        let label = try await make()
        let requests = try await home.openKeysForRequests(passphrase: secret(passphrase))
        await #expect(throws: CredentialError.store(.notWritable)) {
            try await requests.keyring.add(try credential("Z"), as: try KeyLabel("other"))
        }
        await #expect(throws: CredentialError.store(.notWritable)) {
            try await requests.keyring.remove(label, at: .kraken)
        }
        let key = try await requests.keyring.credential(label, at: .kraken).key
        try await requests.keyring.noteRights([.withdraw], of: label, key, now: now)
        #expect(await home.saveNotes(of: requests, passphrase: secret(passphrase), random: SystemRandom()))
        let after = try await home.openKeysForRequests(passphrase: secret(passphrase))
        #expect(try await after.keyring.record(label, at: .kraken)?.rights == [.withdraw])
    }

    @Test("an interrupted revocation counts also for keys that are open for reading only")
    func interruptedRevocation() async throws {
        let label = try await make()
        let keys = try await home.openKeys(passphrase: secret(passphrase), random: SystemRandom())
        try await keys.keyring.revoke(label, at: .kraken, now: now)
        await keys.close()
        let vault = try VaultFile.open(
            at: "\(home.path)/keys.vault", passphrase: secret(passphrase), freshness: .unchecked,
            random: SystemRandom())
        // The state between the two steps of a revocation: the tombstone is written, the key is not wiped.
        try await vault.save(
            try credential().encoded, as: ItemName(service: "fueki.exchange.kraken", account: "key/main"),
            attributes: .sensitive(.credential))
        await vault.close()
        let requests = try await home.openKeysForRequests(passphrase: secret(passphrase))
        await #expect(throws: CredentialError.revoked) {
            _ = try await requests.keyring.credential(label, at: .kraken)
        }
        #expect(try await requests.store.names(in: nil).count == 2)
        // The next opening for changes wipes the key.
        await (try await home.openKeys(passphrase: secret(passphrase), random: SystemRandom())).close()
        let after = try await home.openKeysForRequests(passphrase: secret(passphrase))
        #expect(try await after.store.names(in: nil).map { $0.account.prefix(8) } == ["revoked/"])
    }

    @Test("a key that this version cannot read does not keep the others from being revoked")
    func unreadable() async throws {
        let label = try await make()
        let vault = try VaultFile.open(
            at: "\(home.path)/keys.vault", passphrase: secret(passphrase), freshness: .unchecked,
            random: SystemRandom())
        try await vault.save(
            secret("a later form"), as: ItemName(service: "fueki.exchange.kraken", account: "key/later"),
            attributes: .sensitive(.credential))
        await vault.close()
        let keys = try await home.openKeys(passphrase: secret(passphrase), random: SystemRandom())
        try await keys.keyring.revoke(label, at: .kraken, now: now)
        await keys.close()
        let after = try await home.openKeysForRequests(passphrase: secret(passphrase))
        #expect(try await after.store.names(in: nil).map { $0.account.prefix(8) } == ["key/late", "revoked/"])
    }

    @Test("a label of keys at two exchanges needs the exchange's name")
    func severalVenues() async throws {
        let label = try await make()
        let keys = try await home.openKeys(passphrase: secret(passphrase), random: SystemRandom())
        try await keys.keyring.add(
            try ExchangeCredential(
                key: APIKey(DocumentedKeys.binanceKey, of: .binance),
                secret: SigningSecret(reading: secret(DocumentedKeys.binanceSecret), of: .binance), passphrase: nil,
                created: now), as: label)
        await #expect(throws: CredentialError.invalid(.label, .severalVenues)) {
            _ = try await keys.keyring.venue(of: label)
        }
    }
}
