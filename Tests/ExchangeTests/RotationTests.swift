import ExchangeCredentials
import ExchangeTestSupport
import Files
import PinnedHTTP
import SecretStoreTestSupport
import Secrets
import SecureStorage
import Testing
import Time

@testable import Exchange

private let rights = """
    {"permissions":["query-funds","modify-trades"],"ipAllowlist":["192.0.2.1"],"nonceWindow":0}
    """

/// A store whose process dies after a number of changes.
private actor MortalStore: SecretStore {
    nonisolated let backend = StoreBackend.memory
    private let inner: InMemoryStore
    private var changes: Int

    init(_ inner: InMemoryStore, dyingAfter changes: Int) {
        self.inner = inner
        self.changes = changes
    }

    private func live() throws(SecureStorageError) {
        guard changes > 0 else { throw .inputOutput(.write, code: 5) }
        changes -= 1
    }

    func save(
        _ secret: borrowing SecretBytes, as name: ItemName, attributes: ItemAttributes
    ) async throws(SecureStorageError) {
        try live()
        try await inner.save(secret, as: name, attributes: attributes)
    }
    func load(_ name: ItemName) async throws(SecureStorageError) -> SecretBytes? {
        guard changes > 0 else { throw .inputOutput(.read, code: 5) }
        return await inner.load(name)
    }
    func attributes(of name: ItemName) async throws(SecureStorageError) -> ItemAttributes? {
        await inner.attributes(of: name)
    }
    func delete(_ name: ItemName) async throws(SecureStorageError) -> Bool {
        try live()
        return await inner.delete(name)
    }
    func names(in service: String?) async throws(SecureStorageError) -> [ItemName] { await inner.names(in: service) }
    func saveAll(_ items: [UnsavedItem], deleting names: [ItemName]) async throws(SecureStorageError) {
        try await saveEach(items, deleting: names)
    }
    func close() {}
}

@Suite struct RotationTests {
    private let newKey = "Z" + DocumentedKeys.krakenKey.dropFirst()

    private func credential(_ key: String? = nil) throws -> ExchangeCredential {
        try ExchangeCredential(
            key: APIKey(key ?? newKey, of: .kraken),
            secret: SigningSecret(reading: secret(DocumentedKeys.krakenSecret), of: .kraken), passphrase: nil,
            created: Timestamp(milliseconds: 1))
    }

    @Test("a rotation tries the new key, keeps the journal, and wipes the old key")
    func rotation() async throws {
        let fixture = try await ExchangeFixture(.kraken)
        let (order, id) = (try fixture.order(), fixture.newID())
        _ = try await fixture.client.place(order, as: id)
        fixture.exchange.accept(newKey)
        fixture.exchange.answer("/0/private/GetApiKeyInfo", with: rights)
        let rotation = try await fixture.client.rotate(to: try credential()) { $0.report.findings.isEmpty }
        guard case .done = rotation else { Issue.record("\(rotation)"); return }
        let record = try #require(try await fixture.keyring.record(fixture.label, at: .kraken))
        #expect(record.hint == "ZwYl…" && record.rights == [.read, .trade])
        #expect(try await fixture.keyring.records(at: .kraken).count == 1)
        // The new key recognises the old key's order.
        guard case .placed(_, .journal) = try await fixture.client.place(order, as: id) else {
            Issue.record("sent again"); return
        }
        #expect(fixture.exchange.orders.count == 1)
    }

    @Test("a rotation takes over the journals of all servers, each for its own", arguments: [true, false])
    func otherServers(rotatesThere: Bool) async throws {
        let fixture = try await ExchangeFixture(.kraken)
        func client(_ isOther: Bool) throws -> ExchangeClient {
            try fixture.restarted(at: isOther ? "http://127.0.0.1:1" : nil)
        }
        let (order, id, other) = (try fixture.order(), fixture.newID(), fixture.newID())
        _ = try await client(false).place(order, as: id, isReported: false)
        _ = try await client(true).place(order, as: other, isReported: false)
        fixture.exchange.accept(newKey)
        fixture.exchange.answer("/0/private/GetApiKeyInfo", with: rights)
        guard case .done = try await client(rotatesThere).rotate(to: try credential(), accepting: { _ in true }) else {
            Issue.record("not done")
            return
        }
        #expect(try await client(false).unreportedOrders().map(\.id) == [id])
        #expect(try await client(true).unreportedOrders().map(\.id) == [other])
        guard case .placed(_, .journal) = try await client(false).place(order, as: id),
            case .placed(_, .journal) = try await client(true).place(order, as: other)
        else { Issue.record("sent again"); return }
        #expect(fixture.exchange.orders.count == 2)
    }

    @Test("a journal of another server that is lost stops a rotation until the loss is accepted")
    func lostJournal() async throws {
        let fixture = try await ExchangeFixture(.kraken)
        _ = try await fixture.client.place(fixture.order(), as: fixture.newID())
        (fixture.files as? MemoryFiles)?.remove(".orders")
        let other = try fixture.restarted(at: "http://127.0.0.1:1")
        fixture.exchange.accept(newKey)
        fixture.exchange.answer("/0/private/GetApiKeyInfo", with: rights)
        await #expect(throws: ExchangeError.state(.olderJournal(found: 0, expected: 2))) {
            _ = try await other.rotate(to: try credential()) { _ in true }
        }
        // A person who declines the new key has not accepted the loss.
        guard
            case .declined = try await other.rotate(
                to: try credential(), acceptsOlderJournals: true, accepting: { _ in false })
        else { Issue.record("not declined"); return }
        await #expect(throws: ExchangeError.state(.olderJournal(found: 0, expected: 2))) {
            _ = try await fixture.client.journal()
        }
        guard
            case .done = try await other.rotate(
                to: try credential(), acceptsOlderJournals: true, accepting: { _ in true })
        else { Issue.record("not done"); return }
    }

    @Test("a new key that is declined, or does not work, leaves the old one in use", arguments: [true, false])
    func declined(isKnown: Bool) async throws {
        let fixture = try await ExchangeFixture(.kraken)
        if isKnown { fixture.exchange.accept(newKey) }
        fixture.exchange.answer("/0/private/GetApiKeyInfo", with: rights)
        if isKnown {
            guard case .declined = try await fixture.client.rotate(to: try credential(), accepting: { _ in false })
            else {
                Issue.record("not declined")
                return
            }
        } else {
            await #expect(
                throws: ExchangeError.refused(Refusal(reason: .keyOrAddressOrRight, code: "EAPI:Invalid key"))
            ) {
                _ = try await fixture.client.rotate(to: try self.credential()) { _ in true }
            }
        }
        let records = try await fixture.keyring.records(at: .kraken)
        #expect(records.map(\.label) == [fixture.label])
        #expect(records.first?.hint == "8wYl…")
    }

    @Test("a rotation to the same key, a revoked one, or another exchange's is refused")
    func refused() async throws {
        let fixture = try await ExchangeFixture(.kraken)
        await #expect(throws: ExchangeError.invalid(.key, .sameKey)) {
            _ = try await fixture.client.rotate(to: try self.credential(DocumentedKeys.krakenKey)) { _ in true }
        }
        let other = try KeyLabel("other")
        try await fixture.keyring.add(try credential(), as: other)
        try await fixture.keyring.revoke(other, at: .kraken, now: Timestamp(milliseconds: 2))
        await #expect(throws: ExchangeError.credential(.revoked)) {
            _ = try await fixture.client.rotate(to: try self.credential()) { _ in true }
        }
    }

    /// The answer of the exchange about the key of a request.
    private func answer(_ fixture: ExchangeFixture, _ old: String?, _ new: String?) {
        fixture.exchange.answerByKey("/0/private/GetApiKeyInfo") { key in
            let name = (key == DocumentedKeys.krakenKey ? old : new).map { #","iban":"\#($0)""# } ?? ""
            return
                #"{"permissions":["query-funds","modify-trades"],"ipAllowlist":["192.0.2.1"],"nonceWindow":0\#(name)}"#
        }
    }

    @Test("a key of another account is refused without a question, and the old one stays")
    func otherAccount() async throws {
        let fixture = try await ExchangeFixture(.kraken)
        fixture.exchange.accept(newKey)
        answer(fixture, "AA61 N84G", "AA62N84G")
        let rotation = try await fixture.client.rotate(to: try credential()) { _ in
            Issue.record("asked")
            return true
        }
        #expect(rotation == .otherAccount)
        #expect(try await fixture.keyring.records(at: .kraken).map(\.hint) == ["8wYl…"])
    }

    @Test(
        "the decision learns whether the exchange names one account for both keys",
        arguments: [("AA61 N84G", "AA61N84G", true), (nil, "AA61", false), ("AA61", nil, false)]
            as [(String?, String?, Bool)])
    func account(old: String?, new: String?, isProven: Bool) async throws {
        let fixture = try await ExchangeFixture(.kraken)
        fixture.exchange.accept(newKey)
        answer(fixture, old, new)
        let rotation = try await fixture.client.rotate(to: try credential()) { review in
            #expect(review.isProvenSameAccount == isProven)
            return false
        }
        guard case .declined(let review) = rotation else { Issue.record("\(rotation)"); return }
        #expect(review.report.rights == [.read, .trade])
    }

    @Test("at Binance the account's uid is compared")
    func binanceAccount() async throws {
        let text = String(DocumentedKeys.binanceKey.reversed())
        for (uid, isSame) in [(354_937_868, true), (1, false)] {
            let fixture = try await ExchangeFixture(.binanceHMAC)
            fixture.exchange.accept(text)
            fixture.exchange.answer(
                "/sapi/v1/account/apiRestrictions",
                with: #"{"ipRestrict":true,"enableReading":true,"enableWithdrawals":false}"#)
            fixture.exchange.answerByKey("/api/v3/account") { key in
                #"{"uid":\#(key == text ? uid : 354_937_868),"balances":[]}"#
            }
            let new = try ExchangeCredential(
                key: APIKey(text, of: .binance),
                secret: SigningSecret(reading: secret(DocumentedKeys.binanceSecret), of: .binance), passphrase: nil,
                created: Timestamp(milliseconds: 1))
            let rotation = try await fixture.client.rotate(to: new) { $0.isProvenSameAccount }
            if case .done = rotation { #expect(isSame) } else { #expect(!isSame && rotation == .otherAccount) }
        }
    }

    @Test("an old key that the exchange no longer accepts does not stop a rotation, and the account is not proven")
    func deadKey() async throws {
        let fixture = try await ExchangeFixture(.kraken)
        fixture.exchange.accept(newKey)
        fixture.exchange.refuse(DocumentedKeys.krakenKey)
        answer(fixture, "AA61", "AA61")
        guard case .done = try await fixture.client.rotate(to: try credential(), accepting: { !$0.isProvenSameAccount })
        else {
            Issue.record("not done")
            return
        }
        #expect(try await fixture.keyring.records(at: .kraken).map(\.hint) == ["ZwYl…"])
    }

    @Test("a rotation that was killed before its last step is finished by another call")
    func interrupted() async throws {
        let fixture = try await ExchangeFixture(.kraken)
        fixture.exchange.accept(newKey)
        fixture.exchange.answer("/0/private/GetApiKeyInfo", with: rights)
        let new = try credential()
        try await fixture.keyring.add(new, as: try KeyLabel("next.\(new.key.fingerprint)"))
        try await fixture.keyring.replace(with: new, as: fixture.label)
        guard case .done = try await fixture.client.rotate(to: new, accepting: { _ in false }) else {
            Issue.record("not done")
            return
        }
        #expect(try await fixture.keyring.records(at: .kraken).map(\.label) == [fixture.label])
    }

    @Test("killed after any change of the store, one key works, and the same call finishes the rotation")
    func killed() async throws {
        var deaths = 0
        for changes in 1...16 {
            let fixture = try await ExchangeFixture(.kraken)
            fixture.exchange.accept(newKey)
            answer(fixture, "AA61", "AA61")
            let client = try ExchangeClient(
                of: .kraken, key: fixture.label, in: Keyring(in: MortalStore(fixture.store, dyingAfter: changes)),
                state: ExchangeState(fixture.files), transport: fixture.exchange, clock: fixture.time.clock,
                random: fixture.random,
                window: .seconds(5))
            let first = try? await client.rotate(to: try credential()) { _ in true }
            if first == nil { deaths += 1 }
            // The next process uses the label without knowing of the rotation.
            _ = try await fixture.restarted().probePermissions()
            do {
                let again = try await fixture.restarted().rotate(to: try credential()) { _ in true }
                guard case .done = again else { Issue.record("\(changes): \(again)"); return }
            } catch ExchangeError.invalid(.key, .sameKey) {
                // The first call had only the note about the rights left to write, or nothing.
            }
            #expect(try await fixture.keyring.records(at: .kraken).map(\.hint) == ["ZwYl…"], "\(changes)")
        }
        #expect(deaths > 4)
    }

    @Test("after an emergency a new key of the account finds the old key's orders")
    func adoption() async throws {
        let fixture = try await ExchangeFixture(.kraken)
        fixture.exchange.next(.cutAfter)
        fixture.exchange.next(.cutBefore, .cutBefore, .cutBefore, at: "POST /0/private/OpenOrders")
        let id = fixture.newID()
        #expect(try await fixture.client.place(fixture.order(), as: id) == .unknown(.transport(.closed)))
        let tombstone = try await fixture.keyring.revoke(fixture.label, at: .kraken, now: Timestamp(milliseconds: 2))
        fixture.exchange.accept(newKey)
        try await fixture.keyring.add(try credential(), as: fixture.label)
        await #expect(throws: ExchangeError.unknownOrder) { _ = try await fixture.client.reconcile(id) }
        try await fixture.client.adoptOrders(ofKey: tombstone)
        try await fixture.client.adoptOrders(ofKey: tombstone)
        guard case .placed(_, .query) = try await fixture.client.reconcile(id) else {
            Issue.record("not found"); return
        }
        #expect(fixture.exchange.placed.count == 1)
    }

    @Test("a machine that slept during the order does not place it hours later")
    func sleep() async throws {
        let fixture = try await ExchangeFixture()
        _ = try await fixture.client.serverTime()
        fixture.exchange.onArrival { sent in
            if sent.path == fixture.exchange.orderPath, sent.method == "POST" { fixture.time.pass(7_200_000) }
        }
        let outcome = try await fixture.client.place(fixture.order(), as: fixture.newID())
        #expect(outcome == .refused(Refusal(reason: .time, code: "-1021")))
        #expect(fixture.exchange.orders.count == 1)
        #expect(fixture.exchange.placed.isEmpty)
    }
}
