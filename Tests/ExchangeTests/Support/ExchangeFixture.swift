import Crypto
import ExchangeCredentials
import ExchangeTestSupport
import Files
import Foundation
import PinnedHTTP
import SecretStoreTestSupport
import Secrets
import SecureStorage
import Synchronization
import TestSupport
import Time

@testable import Exchange

/// A client, its exchange, and everything between them.
final class ExchangeFixture: Sendable {
    enum Kind: CaseIterable, Sendable { case binanceHMAC, binanceEd25519, kraken }

    let venue: Venue
    let time = TestTime()
    let exchange: FakeExchange
    let store: InMemoryStore
    let keyring: Keyring
    let files: any StateStore
    let client: ExchangeClient
    let label: KeyLabel
    let random = SeededRandom(seed: 18)

    init(_ kind: Kind = .binanceHMAC, files: any StateStore = MemoryFiles(), window: Timestamp.Span = .seconds(5))
        async throws
    {
        venue = kind == .kraken ? .kraken : .binance
        label = try KeyLabel("main")
        let (keyText, secretText) =
            switch kind {
            case .binanceHMAC: (DocumentedKeys.binanceKey, DocumentedKeys.binanceSecret)
            case .binanceEd25519: (DocumentedKeys.binanceKey, DocumentedKeys.binancePEM)
            case .kraken: (DocumentedKeys.krakenKey, DocumentedKeys.krakenSecret)
            }
        exchange = FakeExchange(venue, time: time, key: keyText) { payload, path, nonce, signature in
            switch kind {
            case .binanceHMAC:
                let key = SymmetricKey(data: Data(DocumentedKeys.binanceSecret.utf8))
                let expected = HMAC<SHA256>.authenticationCode(for: payload, using: key)
                return signature.lowercased() == expected.map { String(format: "%02x", $0) }.joined()
            case .binanceEd25519:
                guard let pem = try? Curve25519.Signing.PrivateKey(rawRepresentation: Self.seed),
                    let bytes = Data(base64Encoded: signature)
                else { return false }
                return pem.publicKey.isValidSignature(bytes, for: Data(payload))
            case .kraken:
                guard let key = Data(base64Encoded: DocumentedKeys.krakenSecret) else { return false }
                let hash = SHA256.hash(data: Data(nonce.utf8) + payload)
                let expected = HMAC<SHA512>.authenticationCode(
                    for: Data(path.utf8) + Data(hash), using: SymmetricKey(data: key))
                return signature == Data(expected).base64EncodedString()
            }
        }
        store = InMemoryStore(forTestingHonouring: Set(Accessibility.allCases))
        keyring = Keyring(in: store)
        self.files = files
        let credential = try ExchangeCredential(
            key: APIKey(keyText, of: venue), secret: SigningSecret(reading: secret(secretText), of: venue),
            passphrase: nil, created: Timestamp(milliseconds: time.now))
        try await keyring.add(credential, as: label)
        client = try ExchangeClient(
            of: venue, key: label, in: keyring, state: ExchangeState(files), transport: exchange, clock: time.clock,
            random: random, window: window)
    }

    private static let seed =
        Data(
            base64Encoded: "MC4CAQAwBQYDK2VwBCIEIIJEYWtGBrhACmb9Dvy+qa8WEf0lQOl1s4CLIAB9m89u"
        ).map { $0.suffix(32) } ?? Data()

    /// Another process: a client with the same store, files and exchange, and no memory.
    ///
    /// - Parameters:
    ///   - address: the server; nil for the exchange's own.
    ///   - others: the files of another machine.
    func restarted(at address: String? = nil, with others: MemoryFiles? = nil) throws -> ExchangeClient {
        try ExchangeClient(
            of: venue, key: label, in: keyring, state: ExchangeState(others ?? files), transport: exchange,
            origin: try address.map { text throws(ExchangeError) in try Origin(exchangeAt: text) }, clock: time.clock,
            random: random, window: .seconds(5))
    }

    func order(_ amount: String = "1.25", side: Order.Side = .buy) throws -> Order {
        try Order(
            side, Quantity(amount, for: .amount),
            of: TradingSymbol(venue == .binance ? "BTCUSDT" : "XBTUSD", on: venue),
            .limit(price: Quantity("37500.5", for: .price), .untilCancelled))
    }

    func newID() -> ClientOrderID { ClientOrderID(random: random) }
}

/// Files in memory that can fail, and that survive the client.
final class MemoryFiles: StateStore {
    /// What happens at a numbered write.
    enum Fault: Sendable {
        /// The disk is full: the old content stays.
        case full
        /// The process dies before the write.
        case deathBefore
        /// The process dies after the write, which is durable.
        case deathAfter
    }

    private final class Lock: Sendable {
        let release: @Sendable () -> Void
        init(_ release: @escaping @Sendable () -> Void) { self.release = release }
        deinit { release() }
    }

    private struct State {
        var files: [String: [UInt8]] = [:]
        var locks: Set<String> = []
        var writes = 0
        var faults: [Int: Fault] = [:]
        var isDead = false
    }
    private let state = Mutex(State())

    var writes: Int { state.withLock { $0.writes } }
    var isDead: Bool { state.withLock { $0.isDead } }
    func file(_ suffix: String) -> [UInt8]? {
        state.withLock { state in state.files.first { $0.key.hasSuffix(suffix) }?.value }
    }
    func replace(_ suffix: String, with bytes: [UInt8]) {
        state.withLock { state in
            for name in state.files.keys where name.hasSuffix(suffix) { state.files[name] = bytes }
        }
    }
    func remove(_ suffix: String) {
        state.withLock { state in
            for name in state.files.keys where name.hasSuffix(suffix) { state.files[name] = nil }
        }
    }
    func fail(at write: Int, _ fault: Fault) { state.withLock { $0.faults[write] = fault } }
    func die() { state.withLock { $0.isDead = true } }
    /// Begins a new process: locks of the dead one are free.
    func revive() {
        state.withLock { state in
            state.isDead = false
            state.locks = []
            state.faults = [:]
        }
    }

    func read(_ name: String, limit: Int) throws(FileError) -> [UInt8]? {
        try state.withLock { state throws(FileError) in
            guard !state.isDead else { throw .inputOutput(.read, code: 5) }
            return state.files[name]
        }
    }

    func write(_ bytes: [UInt8], as name: String) throws(FileError) {
        try state.withLock { state throws(FileError) in
            guard !state.isDead else { throw .inputOutput(.write, code: 5) }
            state.writes += 1
            switch state.faults[state.writes] {
            case .full: throw .diskFull
            case .deathBefore:
                state.isDead = true
                throw .inputOutput(.write, code: 5)
            case .deathAfter:
                state.files[name] = bytes
                state.isDead = true
                throw .inputOutput(.write, code: 5)
            case nil: state.files[name] = bytes
            }
        }
    }

    func names() throws(FileError) -> [String] { state.withLock { Array($0.files.keys) } }

    func lock(_ name: String) throws(FileError) -> any AnyObject & Sendable {
        try state.withLock { state throws(FileError) in
            guard !state.isDead else { throw .inputOutput(.lock, code: 5) }
            guard state.locks.insert(name).inserted else { throw .lockedByAnother(processID: nil) }
        }
        return Lock { self.state.withLock { _ = $0.locks.remove(name) } }
    }
}

extension ExchangeState {
    /// The state in one store, with the last generations of the journals.
    init(_ files: any StateStore) { self.init(files, seen: files) }
}
