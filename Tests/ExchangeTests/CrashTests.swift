import PinnedHTTP
import Secrets
import SecureStorage
import TestSupport
import Testing

@testable import Exchange

/// A process dies at each step of "write, send, settle", and another one continues with what is on the disk.
@Suite struct CrashTests {
    private static let kinds: [ExchangeFixture.Kind] = [.binanceHMAC, .kraken]

    /// Dies in the middle of a request: after the exchange has acted or not.
    private static let troubles: [FakeExchange.Trouble?] = [
        nil, .cutAfter, .cutBefore, .late(2_000), .hidden(3_000), .notConnected,
    ]

    @Test("killed before or after each write, no order is sent twice, and none is lost", arguments: kinds, troubles)
    func writes(kind: ExchangeFixture.Kind, trouble: FakeExchange.Trouble?) async throws {
        var hasDied = 0
        for fault in [MemoryFiles.Fault.deathBefore, .deathAfter] {
            for write in 1...12 {
                let files = MemoryFiles()
                let fixture = try await ExchangeFixture(kind, files: files)
                let (order, id) = (try fixture.order(), fixture.newID())
                if let trouble { fixture.exchange.next(trouble) }
                files.fail(at: write, fault)
                let before = try? await fixture.client.place(order, as: id)
                if files.isDead { hasDied += 1 }
                files.revive()
                try await check(fixture, order, id, before, "\(kind) \(String(describing: trouble)) \(fault) \(write)")
            }
        }
        #expect(hasDied >= 4, "the faults hit no write")
    }

    @Test("killed in another attempt at an order that was not sent, none is sent twice", arguments: kinds, troubles)
    func attempts(kind: ExchangeFixture.Kind, trouble: FakeExchange.Trouble?) async throws {
        var hasDied = 0
        for fault in [MemoryFiles.Fault.deathBefore, .deathAfter] {
            for write in 1...12 {
                let files = MemoryFiles()
                let fixture = try await ExchangeFixture(kind, files: files)
                let (order, id) = (try fixture.order(), fixture.newID())
                fixture.exchange.next(.notConnected)
                #expect(try await fixture.client.place(order, as: id) == .notSent(.notConnected))
                if let trouble { fixture.exchange.next(trouble) }
                files.fail(at: files.writes + write, fault)
                let before = try? await fixture.restarted().place(order, as: id)
                if files.isDead { hasDied += 1 }
                files.revive()
                try await check(fixture, order, id, before, "\(kind) \(String(describing: trouble)) \(fault) \(write)")
            }
        }
        #expect(hasDied >= 4, "the faults hit no write")
    }

    @Test("killed while the order is at the exchange, the next process finds it by its id", arguments: kinds)
    func inFlight(kind: ExchangeFixture.Kind) async throws {
        let files = MemoryFiles()
        let fixture = try await ExchangeFixture(kind, files: files)
        let (order, id) = (try fixture.order(), fixture.newID())
        fixture.exchange.onArrival { sent in
            if sent.path == fixture.exchange.orderPath, sent.method == "POST" { files.die() }
        }
        let before = try? await fixture.client.place(order, as: id)
        // The dead process cannot write the outcome, and the call still returns what it knows.
        guard case .placed(_, .answer)? = before else { Issue.record("\(String(describing: before))"); return }
        files.revive()
        let next = try fixture.restarted()
        #expect(try await next.unsettledOrders().map(\.id) == [id])
        try await check(fixture, order, id, before, "in flight")
        #expect(fixture.exchange.placed.count == 1)
    }

    /// The next process: it reconciles what is open, and then repeats the call as its user would.
    private func check(
        _ fixture: ExchangeFixture, _ order: Order, _ id: ClientOrderID, _ before: OrderOutcome?, _ name: String
    ) async throws {
        let next = try fixture.restarted()
        for entry in try await next.unsettledOrders() {
            let outcome = try await next.reconcile(entry.id)
            switch outcome {
            case .placed: #expect(fixture.exchange.placed.count == 1, "\(name)")
            case .absent: #expect(fixture.exchange.placed.isEmpty, "\(name)")
            default: Issue.record("\(name): \(outcome)")
            }
        }
        if case .placed? = before { #expect(fixture.exchange.placed.count == 1, "\(name)") }
        let sentBefore = fixture.exchange.orders.count
        let outcome = try await next.place(order, as: id)
        // What the journal knew is not sent again; what it did not know was never sent.
        #expect(sentBefore == 0 || fixture.exchange.orders.count == sentBefore, "\(name): sent twice")
        #expect(fixture.exchange.placed.count <= 1, "\(name): placed twice")
        if case .placed = outcome { #expect(fixture.exchange.placed.count == 1, "\(name)") }
        #expect(try await next.unsettledOrders().isEmpty, "\(name)")
        // The nonces of both processes rise.
        let nonces = fixture.exchange.sent.compactMap { $0.form["nonce"].flatMap(UInt64.init) }
        #expect(Set(nonces).count == nonces.count, "\(name): a nonce was used twice")
    }
}
