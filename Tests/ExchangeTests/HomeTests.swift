import Foundation
import PinnedHTTP
import SecretStoreTestSupport
import Secrets
import SecureStorage
import TestSupport
import Testing
import Time

@testable import Exchange

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
        await #expect(throws: ExchangeError.noKey) { try await home.requireKeys() }
        await #expect(throws: ExchangeError.noKey) {
            _ = try await home.openKeys(passphrase: secret(passphrase), random: SystemRandom())
        }
        let label = try await make()
        let keys = try await home.openKeysForRequests(passphrase: secret(passphrase))
        #expect(try await keys.keyring.venue(of: label) == .kraken)
        await #expect(throws: ExchangeError.noKey) { _ = try await keys.keyring.venue(of: try KeyLabel("other")) }
        await #expect(throws: ExchangeError.store(.wrongPassphrase)) {
            _ = try await home.openKeysForRequests(passphrase: secret("another"))
        }
        await #expect(throws: ExchangeError.store(.alreadyExists)) {
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
        await #expect(throws: ExchangeError.self) {
            _ = try await home.openKeys(passphrase: secret(passphrase), random: SystemRandom())
        }
        await #expect(throws: ExchangeError.self) {
            _ = try await home.openKeysForRequests(passphrase: secret(passphrase))
        }
        try FileManager.default.removeItem(atPath: vault)
        for open in 0..<3 {
            await #expect(throws: ExchangeError.state(.keysMissing)) {
                switch open {
                case 0: _ = try await home.openKeys(passphrase: secret(passphrase), random: SystemRandom())
                case 1: _ = try await home.openKeysForRequests(passphrase: secret(passphrase))
                default: _ = try await home.createKeys(passphrase: secret(passphrase), random: SystemRandom())
                }
            }
        }
        await #expect(throws: ExchangeError.state(.keysMissing)) { try await home.requireKeys() }
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
        await #expect(throws: ExchangeError.noKey) { _ = try await after.keyring.venue(of: label) }
    }

    @Test("keys for requests cannot be changed, and a note is stored later")
    func notes() async throws {
        let label = try await make()
        let requests = try await home.openKeysForRequests(passphrase: secret(passphrase))
        await #expect(throws: ExchangeError.store(.notWritable)) {
            try await requests.keyring.add(try credential("Z"), as: try KeyLabel("other"))
        }
        await #expect(throws: ExchangeError.store(.notWritable)) {
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
        await #expect(throws: ExchangeError.revoked) {
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
        await #expect(throws: ExchangeError.invalid(.label, .severalVenues)) {
            _ = try await keys.keyring.venue(of: label)
        }
    }
}

@Suite("Connections to an exchange") struct ConnectionTests {
    private let pins = (1...2).compactMap { Pin(bytes: [UInt8](repeating: $0, count: 32)) }

    private func client(_ text: String, pins: [Pin]) throws -> PinnedClient {
        try ExchangeConnection(pins: pins, roots: .system, proxy: nil).client(
            to: try Origin(exchangeAt: text), userAgent: "test", now: { 0 })
    }

    @Test(
        "an address is https, or http on this machine",
        arguments: [
            ("https://api.kraken.com", "https://api.kraken.com"), ("https://api.kraken.com/", "https://api.kraken.com"),
            ("HTTPS://API.kraken.com:444", "https://api.kraken.com:444"),
            ("http://127.0.0.1:8080", "http://127.0.0.1:8080"), ("http://[::1]:8080", "http://[::1]:8080"),
            ("http://[::1]", "http://[::1]"), ("http://localhost:1", "http://localhost:1"),
        ])
    func addresses(text: String, origin: String) throws {
        #expect(try Origin(exchangeAt: text).description == origin)
    }

    @Test(
        "another address is refused",
        arguments: [
            "", "api.kraken.com", "ftp://api.kraken.com", "https://", "https://a/b", "https://a?b", "https://user@a",
            "https://a:0", "https://a:65536", "https://a:+1", "https://a:", "https://::1", "https://[::1",
            "https://a b",
            "https://\u{430}pi.kraken.com", "https://" + String(repeating: "a", count: 600),
        ])
    func malformed(text: String) {
        #expect(throws: ExchangeError.invalid(.endpoint, .notAnAddress)) { _ = try Origin(exchangeAt: text) }
    }

    @Test("a server on another machine without encryption is refused, by the address, the connection and the client")
    func unencrypted() async throws {
        let refused = ExchangeError.invalid(.endpoint, .notEncrypted)
        for text in ["http://api.kraken.com", "http://192.168.1.2:8080", "http://127.0.0.1.example"] {
            #expect(throws: refused) { _ = try Origin(exchangeAt: text) }
        }
        let origin = try #require(Origin(.http, host: "192.168.1.2", port: 8080))
        #expect(throws: refused) {
            _ = try ExchangeConnection(pins: [], roots: .system, proxy: nil).client(
                to: origin, userAgent: "test", now: { 0 })
        }
        let fixture = try await ExchangeFixture()
        #expect(throws: refused) {
            _ = try ExchangeClient(
                of: .binance, key: fixture.label, in: fixture.keyring, state: ExchangeState(fixture.files),
                transport: fixture.exchange, origin: origin, clock: fixture.time.clock, random: fixture.random,
                window: .seconds(5))
        }
    }

    @Test("pins are two or more different ones, and need encryption")
    func pinning() throws {
        _ = try client("https://api.kraken.com", pins: pins)
        #expect(throws: ExchangeError.invalid(.pins, .pins(.noBackup))) {
            _ = try client("https://api.kraken.com", pins: Array(pins.prefix(1)))
        }
        #expect(throws: ExchangeError.invalid(.pins, .pins(.repeatedPin))) {
            _ = try client("https://api.kraken.com", pins: [pins[0], pins[0]])
        }
        #expect(throws: ExchangeError.invalid(.pins, .notEncrypted)) {
            _ = try client("http://127.0.0.1:1", pins: pins)
        }
        #expect(try ExchangeConnection.pins(in: "\(pins[0]) \(pins[1])") == pins)
        for text in ["", "sha256/AAAA", "\(pins[0]) x"] {
            #expect(throws: ExchangeError.invalid(.pins, .notPins)) { _ = try ExchangeConnection.pins(in: text) }
        }
    }
}

@Suite("Keys from files") struct KeyReadingTests {
    @Test("a key in a file is read without the line break at its end")
    func lines() throws {
        for end in ["", "\n", "\r\n", "\n\n"] {
            let key = try APIKey(reading: secret(DocumentedKeys.krakenKey + end), of: .kraken)
            #expect(try key == APIKey(DocumentedKeys.krakenKey, of: .kraken))
        }
    }

    @Test("a file with more than a key is refused")
    func others() {
        let key = DocumentedKeys.krakenKey
        for (text, fault) in [
            ("\(key)\n\(key)", InputFault.space(offset: 56)), ("", .empty), ("\n", .empty),
            ("\(key) ", .space(offset: 56)), (" \(key)", .space(offset: 0)),
            (String(repeating: "a", count: 300), .tooLong(most: 256)),
            (DocumentedKeys.krakenSecret, .secretInPlaceOfKey),
        ] {
            #expect(throws: ExchangeError.invalid(.key, fault), "\(text.count)") {
                _ = try APIKey(reading: secret(text), of: .kraken)
            }
        }
    }

    @Test("a label of a rotation is recognised, and no other one")
    func labels() throws {
        let key = try APIKey(DocumentedKeys.krakenKey, of: .kraken)
        #expect(KeyLabel(ofNext: key).isOfInterruptedRotation)
        #expect(try KeyLabel(KeyLabel(ofNext: key).text) == KeyLabel(ofNext: key))
        for text in ["next", "next.", "next.abc", "main", "next.\(String(repeating: "G", count: 32))"] {
            #expect(try !KeyLabel(text).isOfInterruptedRotation)
        }
    }
}
