import ExchangeCredentials
import ExchangeTestSupport
import Files
import PinnedHTTP
import SecretStoreTestSupport
import Secrets
import SecureStorage
import Synchronization
import Testing
import Time

@testable import Exchange

private let json = [HTTPHeader("Content-Type", "application/json")]

/// A store that is empty from a moment on, and calls a function before it replaces the key `main`.
private actor ForgettingStore: SecretStore {
    nonisolated let backend = StoreBackend.memory
    private let inner: InMemoryStore
    private let isEmpty = Mutex(false)
    private let hook = Mutex<(@Sendable () async -> Void)?>(nil)

    init(_ inner: InMemoryStore) { self.inner = inner }

    nonisolated func beforeReplacing(_ body: @escaping @Sendable () async -> Void) { hook.withLock { $0 = body } }
    nonisolated func forget() { isEmpty.withLock { $0 = true } }

    func save(
        _ secret: borrowing SecretBytes, as name: ItemName, attributes: ItemAttributes
    ) async throws(SecureStorageError) {
        if name.account == "key/main", let body = hook.withLock({ $0.take() }) { await body() }
        try await inner.save(secret, as: name, attributes: attributes)
    }
    func load(_ name: ItemName) async throws(SecureStorageError) -> SecretBytes? {
        isEmpty.withLock { $0 } ? nil : await inner.load(name)
    }
    func attributes(of name: ItemName) async throws(SecureStorageError) -> ItemAttributes? {
        await inner.attributes(of: name)
    }
    func delete(_ name: ItemName) async throws(SecureStorageError) -> Bool { await inner.delete(name) }
    func names(in service: String?) async throws(SecureStorageError) -> [ItemName] { await inner.names(in: service) }
    func saveAll(_ items: [UnsavedItem], deleting names: [ItemName]) async throws(SecureStorageError) {
        try await saveEach(items, deleting: names)
    }
    func close() {}
}

/// Files in memory that call a function when an order has been written.
private final class HookedFiles: StateStore {
    private let inner = MemoryFiles()
    private let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }

    func read(_ name: String, limit: Int) throws(FileError) -> [UInt8]? { try inner.read(name, limit: limit) }
    func write(_ bytes: [UInt8], as name: String) throws(FileError) {
        try inner.write(bytes, as: name)
        if name.hasSuffix(".orders") { body() }
    }
    func lock(_ name: String) throws(FileError) -> any AnyObject & Sendable { try inner.lock(name) }
    func names() throws(FileError) -> [String] { try inner.names() }
}

@Suite struct ReviewTests {
    @Test("a rotation during an order does not let the same order be sent twice")
    func rotationDuringOrder() async throws {
        let fixture = try await ExchangeFixture(.kraken)
        let key = "Z" + DocumentedKeys.krakenKey.dropFirst()
        fixture.exchange.accept(key)
        fixture.exchange.answer(
            "/0/private/GetApiKeyInfo",
            with: #"{"permissions":["query-funds","modify-trades"],"ipAllowlist":["192.0.2.1"],"nonceWindow":0}"#)
        let other = try fixture.restarted()
        let isDone = Mutex(false)
        fixture.exchange.onArrival { sent in
            let isFirst = isDone.withLock { done in
                defer { done = true }
                return !done
            }
            guard isFirst, sent.path == "/0/public/Time" else { return }
            do {
                let credential = try ExchangeCredential(
                    key: APIKey(key, of: .kraken),
                    secret: SigningSecret(reading: secret(DocumentedKeys.krakenSecret), of: .kraken), passphrase: nil,
                    created: Timestamp(milliseconds: 1))
                _ = try await other.rotate(to: credential) { _ in true }
            } catch { Issue.record(error) }
        }
        let (order, id) = (try fixture.order(), fixture.newID())
        _ = try? await fixture.client.place(order, as: id)
        _ = try await fixture.restarted().place(order, as: id)
        #expect(fixture.exchange.orders.count == 1)
        #expect(fixture.exchange.placed.count == 1)
    }

    @Test("an order that was placed just before the key is replaced is in the new key's journal")
    func orderBeforeReplacing() async throws {
        let fixture = try await ExchangeFixture(.kraken)
        let text = "Z" + DocumentedKeys.krakenKey.dropFirst()
        fixture.exchange.accept(text)
        fixture.exchange.answer(
            "/0/private/GetApiKeyInfo",
            with: #"{"permissions":["query-funds","modify-trades"],"ipAllowlist":["192.0.2.1"],"nonceWindow":0}"#)
        let store = ForgettingStore(fixture.store)
        let client = try ExchangeClient(
            of: .kraken, key: fixture.label, in: Keyring(in: store), state: ExchangeState(fixture.files),
            transport: fixture.exchange, clock: fixture.time.clock, random: fixture.random, window: .seconds(5))
        let (order, id) = (try fixture.order(), fixture.newID())
        store.beforeReplacing { _ = try? await fixture.client.place(order, as: id) }
        let credential = try ExchangeCredential(
            key: APIKey(text, of: .kraken),
            secret: SigningSecret(reading: secret(DocumentedKeys.krakenSecret), of: .kraken), passphrase: nil,
            created: Timestamp(milliseconds: 1))
        _ = try await client.rotate(to: credential) { _ in true }
        #expect(fixture.exchange.orders.count == 1)
        guard case .placed(_, .journal) = try await fixture.restarted().place(order, as: id) else {
            Issue.record("not recognised")
            return
        }
        #expect(fixture.exchange.orders.count == 1)
    }

    @Test("a key that is removed while its order is written sends nothing")
    func removedWhileWriting() async throws {
        let fixture = try await ExchangeFixture()
        let store = ForgettingStore(fixture.store)
        let client = try ExchangeClient(
            of: .binance, key: fixture.label, in: Keyring(in: store),
            state: ExchangeState(HookedFiles { store.forget() }),
            transport: fixture.exchange, clock: fixture.time.clock, random: fixture.random, window: .seconds(5))
        await #expect(throws: ExchangeError.credential(.noKey)) {
            _ = try await client.place(fixture.order(), as: fixture.newID())
        }
        #expect(fixture.exchange.orders.isEmpty)
    }

    @Test("a clock that went back does not make a pause longer than it was")
    func clockWentBackDuringPause() async throws {
        let fixture = try await ExchangeFixture()
        let ban = FakeExchange.Trouble.answerInstead(
            status: 418, body: "{}", headers: json + [HTTPHeader("Retry-After", "60")])
        fixture.exchange.next(ban, at: "GET /api/v3/account")
        await #expect(throws: ExchangeError.self) { _ = try await fixture.client.balances() }
        fixture.time.goBack(3_600_000)
        await #expect(throws: ExchangeError.self) { _ = try await fixture.client.serverTime() }
        fixture.time.pass(61_000)
        _ = try await fixture.client.serverTime()
    }

    private func ban(_ seconds: Int) -> FakeExchange.Trouble {
        .answerInstead(status: 418, body: "{}", headers: json + [HTTPHeader("Retry-After", "\(seconds)")])
    }

    @Test("a clock that is set ahead does not end a pause early, and one that is set back does not extend it")
    func clockSetDuringPause() async throws {
        for isAhead in [true, false] {
            let fixture = try await ExchangeFixture()
            _ = try await fixture.client.serverTime()
            fixture.exchange.next(ban(3_600), at: "GET /api/v3/account")
            await #expect(throws: ExchangeError.self) { _ = try await fixture.client.balances() }
            // After the beginning: the record's own clock does not notice it.
            fixture.time.pass(1_800_000)
            if isAhead { fixture.time.goAhead(7_200_000) } else { fixture.time.goBack(1_700_000) }
            await #expect(throws: ExchangeError.self, "ended early") { _ = try await fixture.client.serverTime() }
            fixture.time.pass(1_790_000)
            await #expect(throws: ExchangeError.self, "ended early") { _ = try await fixture.client.serverTime() }
            fixture.time.pass(11_000)
            _ = try await fixture.client.serverTime()
        }
    }

    @Test("a pause that another process has stored does not end early when the clock is set ahead")
    func storedPause() async throws {
        let fixture = try await ExchangeFixture()
        let other = try fixture.restarted()
        fixture.exchange.next(ban(3_600), at: "GET /api/v3/account")
        await #expect(throws: ExchangeError.self) { _ = try await other.balances() }
        await #expect(throws: ExchangeError.self) { _ = try await fixture.client.serverTime() }
        fixture.time.goAhead(7_200_000)
        await #expect(throws: ExchangeError.self) { _ = try await fixture.client.serverTime() }
        fixture.time.pass(3_601_000)
        _ = try await fixture.client.serverTime()
    }

    @Test("a rate limit does not shorten a ban that could not be written")
    func shorterPause() async throws {
        let files = MemoryFiles()
        let fixture = try await ExchangeFixture(.binanceHMAC, files: files)
        _ = try await fixture.client.serverTime()
        func answer(_ status: Int, _ seconds: Int) -> FakeExchange.Trouble {
            .answerInstead(status: status, body: "{}", headers: json + [HTTPHeader("Retry-After", "\(seconds)")])
        }
        fixture.exchange.next(answer(429, 10), answer(418, 3_600), at: "GET /api/v3/account")
        let isDone = Mutex(false)
        fixture.exchange.onArrival { _ in
            let isFirst = isDone.withLock { done in
                defer { done = true }
                return !done
            }
            guard isFirst else { return }
            // The disk has no room for the ban.
            files.fail(at: files.writes + 1, .full)
            _ = try? await fixture.client.balances()
        }
        await #expect(throws: ExchangeError.self) { _ = try await fixture.client.balances() }
        fixture.time.pass(60_000)
        await #expect(throws: ExchangeError.self) { _ = try await fixture.client.serverTime() }
        #expect(fixture.exchange.sent.filter { $0.path == "/api/v3/time" }.count == 1)
    }

    @Test(
        "an error that does not say that the exchange refused the order leaves the outcome open",
        arguments: [-1004, -1016, -1033, -1099, 0, 408])
    func unknownErrors(code: Int) async throws {
        let fixture = try await ExchangeFixture()
        fixture.exchange.next(.answerAfter(status: 400, body: #"{"code":\#(code),"msg":"x"}"#, headers: json))
        let outcome = try await fixture.client.place(fixture.order(), as: fixture.newID())
        guard case .placed(_, .query) = outcome else { Issue.record("\(outcome)"); return }
    }

    @Test(
        "a refusal because of the id leaves the outcome open",
        arguments: ["EGeneral:Invalid arguments:cl_ord_id is not unique", "EGeneral:Invalid arguments:duplicate"])
    func refusedID(text: String) async throws {
        let fixture = try await ExchangeFixture(.kraken)
        fixture.exchange.next(.answerAfter(status: 200, body: #"{"error":["\#(text)"]}"#, headers: json))
        let outcome = try await fixture.client.place(fixture.order(), as: fixture.newID())
        guard case .placed(_, .query) = outcome else { Issue.record("\(outcome)"); return }
    }

    @Test("a key that the exchange refuses is not tried again while an order is looked for", arguments: [-2015, -1022])
    func refusedKey(code: Int) async throws {
        let fixture = try await ExchangeFixture()
        let refusal = FakeExchange.Trouble.answerInstead(
            status: 401, body: #"{"code":\#(code),"msg":"x"}"#, headers: json)
        fixture.exchange.next(.cutAfter)
        fixture.exchange.next(refusal, refusal, refusal, at: "GET /api/v3/order")
        let outcome = try await fixture.client.place(fixture.order(), as: fixture.newID())
        #expect(outcome == .unknown(.transport(.closed)))
        #expect(fixture.exchange.sent.filter { $0.path == "/api/v3/order" && $0.method == "GET" }.count == 1)
    }

    @Test("a machine that slept before the order was stamped does not place it hours later")
    func sleptBeforeStamp() async throws {
        let fixture = try await ExchangeFixture()
        let isDone = Mutex(false)
        fixture.exchange.onArrival { sent in
            let isFirst = isDone.withLock { done in
                defer { done = true }
                return !done
            }
            // The answer to the question about the time comes after the sleep.
            if isFirst, sent.path == "/api/v3/time" { fixture.time.pass(7_200_000) }
        }
        let id = fixture.newID()
        await #expect(throws: ExchangeError.late) { _ = try await fixture.client.place(fixture.order(), as: id) }
        #expect(fixture.exchange.orders.isEmpty)
        await #expect(throws: ExchangeError.unknownOrder) { _ = try await fixture.client.reconcile(id) }
    }

    @Test("a ban that comes while an order is written is obeyed")
    func bannedWhileWriting() async throws {
        let ban = Mutex<(@Sendable () -> Void)?>(nil)
        let files = HookedFiles { ban.withLock { $0 }?() }
        let fixture = try await ExchangeFixture(.binanceHMAC, files: files)
        let moment = Timestamp(milliseconds: fixture.time.now)
        // Another process, which writes what its state would write.
        let record = WaitRecord(.ban, for: .minutes(2), from: moment)
        ban.withLock { $0 = { try? files.write(record.encoded, as: "binance.wait") } }
        let id = fixture.newID()
        await #expect(throws: ExchangeError.mustWait(record.wait)) {
            _ = try await fixture.client.place(fixture.order(), as: id)
        }
        #expect(fixture.exchange.orders.isEmpty)
        #expect(try await fixture.client.journal().map(\.state) == [.notSent])
    }
}
