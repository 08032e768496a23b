import PinnedHTTP
import Secrets
import SecureStorage
import Testing

@testable import Exchange

private let rights = """
    {"permissions":["query-funds","modify-trades"],"ipAllowlist":["192.0.2.1"],"nonceWindow":0}
    """

@Suite struct RotationTests {
    private let newKey = "Z" + DocumentedKeys.krakenKey.dropFirst()

    private func credential(_ key: String? = nil) throws -> ExchangeCredential {
        try ExchangeCredential(
            key: APIKey(key ?? newKey, of: .kraken),
            secret: SigningSecret(reading: secret(DocumentedKeys.krakenSecret), of: .kraken), passphrase: nil,
            created: Moment(milliseconds: 1))
    }

    @Test("a rotation tries the new key, keeps the journal, and wipes the old key")
    func rotation() async throws {
        let desk = try await Desk(.kraken)
        let (order, id) = (try desk.order(), desk.newID())
        _ = try await desk.client.place(order, as: id)
        desk.exchange.accept(newKey)
        desk.exchange.answer("/0/private/GetApiKeyInfo", with: rights)
        let rotation = try await desk.client.rotate(to: try credential()) { $0.findings.isEmpty }
        guard case .done = rotation else { Issue.record("\(rotation)"); return }
        let record = try #require(try await desk.keyring.record(desk.label, at: .kraken))
        #expect(record.hint == "ZwYl…" && record.rights == [.read, .trade])
        #expect(try await desk.keyring.records(at: .kraken).count == 1)
        // The new key recognises the old key's order.
        guard case .placed(_, .journal) = try await desk.client.place(order, as: id) else {
            Issue.record("sent again"); return
        }
        #expect(desk.exchange.orders.count == 1)
    }

    @Test("a new key that is declined, or does not work, leaves the old one in use", arguments: [true, false])
    func declined(isKnown: Bool) async throws {
        let desk = try await Desk(.kraken)
        if isKnown { desk.exchange.accept(newKey) }
        desk.exchange.answer("/0/private/GetApiKeyInfo", with: rights)
        if isKnown {
            guard case .declined = try await desk.client.rotate(to: try credential(), accepting: { _ in false }) else {
                Issue.record("not declined")
                return
            }
        } else {
            await #expect(
                throws: ExchangeError.refused(Refusal(reason: .keyOrAddressOrRight, code: "EAPI:Invalid key"))
            ) {
                _ = try await desk.client.rotate(to: try self.credential()) { _ in true }
            }
        }
        let records = try await desk.keyring.records(at: .kraken)
        #expect(records.map(\.label) == [desk.label])
        #expect(records.first?.hint == "8wYl…")
    }

    @Test("a rotation to the same key, a revoked one, or another exchange's is refused")
    func refused() async throws {
        let desk = try await Desk(.kraken)
        await #expect(throws: ExchangeError.labelTaken) {
            _ = try await desk.client.rotate(to: try self.credential(DocumentedKeys.krakenKey)) { _ in true }
        }
        let other = try KeyLabel("other")
        try await desk.keyring.add(try credential(), as: other)
        try await desk.keyring.revoke(other, at: .kraken, now: Moment(milliseconds: 2))
        await #expect(throws: ExchangeError.revoked) {
            _ = try await desk.client.rotate(to: try self.credential()) { _ in true }
        }
    }

    @Test("a rotation that was killed before its last step is finished by another call")
    func interrupted() async throws {
        let desk = try await Desk(.kraken)
        desk.exchange.accept(newKey)
        desk.exchange.answer("/0/private/GetApiKeyInfo", with: rights)
        let new = try credential()
        try await desk.keyring.add(new, as: try KeyLabel("next.\(new.key.fingerprint)"))
        try await desk.keyring.replace(with: new, as: desk.label)
        guard case .done = try await desk.client.rotate(to: new, accepting: { _ in false }) else {
            Issue.record("not done")
            return
        }
        #expect(try await desk.keyring.records(at: .kraken).map(\.label) == [desk.label])
    }

    @Test("after an emergency a new key of the account finds the old key's orders")
    func adoption() async throws {
        let desk = try await Desk(.kraken)
        desk.exchange.next(.cutAfter)
        desk.exchange.next(.cutBefore, .cutBefore, .cutBefore, at: "POST /0/private/OpenOrders")
        let id = desk.newID()
        #expect(try await desk.client.place(desk.order(), as: id) == .unknown(.transport(.closed)))
        let tombstone = try await desk.keyring.revoke(desk.label, at: .kraken, now: Moment(milliseconds: 2))
        desk.exchange.accept(newKey)
        try await desk.keyring.add(try credential(), as: desk.label)
        await #expect(throws: ExchangeError.unknownOrder) { _ = try await desk.client.reconcile(id) }
        try await desk.client.adoptOrders(ofKey: tombstone)
        try await desk.client.adoptOrders(ofKey: tombstone)
        guard case .placed(_, .query) = try await desk.client.reconcile(id) else { Issue.record("not found"); return }
        #expect(desk.exchange.placed.count == 1)
    }

    @Test("a machine that slept during the order does not place it hours later")
    func sleep() async throws {
        let desk = try await Desk()
        _ = try await desk.client.serverTime()
        desk.exchange.onArrival { sent in
            if sent.path == desk.exchange.orderPath, sent.method == "POST" { desk.time.pass(7_200_000) }
        }
        let outcome = try await desk.client.place(desk.order(), as: desk.newID())
        #expect(outcome == .refused(Refusal(reason: .time, code: "-1021")))
        #expect(desk.exchange.orders.count == 1)
        #expect(desk.exchange.placed.isEmpty)
    }
}
