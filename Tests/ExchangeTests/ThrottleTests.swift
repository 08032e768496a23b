import PinnedHTTP
import Testing
import Time

@testable import Exchange

/// Kraken's "EService: Throttled", which tells the end of a pause.
@Suite("A throttled request") struct ThrottleTests {
    private let json = [HTTPHeader("Content-Type", "application/json")]

    private func throttled(_ fixture: ExchangeFixture, at path: String, takesEffect: Bool) -> Int64 {
        let end = fixture.time.now / 1_000 + 30
        let body = #"{"error":["EService: Throttled: [\#(end)]"]}"#
        fixture.exchange.next(
            takesEffect
                ? .answerAfter(status: 200, body: body, headers: json)
                : .answerInstead(status: 200, body: body, headers: json), at: "POST \(path)")
        return end * 1_000 + 2_000
    }

    @Test("its pause lasts until the time in the text, for every client")
    func pause() async throws {
        let fixture = try await ExchangeFixture(.kraken)
        let end = throttled(fixture, at: "/0/private/Balance", takesEffect: false)
        let wait = Wait(reason: .rateLimit, until: Timestamp(milliseconds: end))
        await #expect(throws: ExchangeError.mustWait(wait)) { _ = try await fixture.client.balances() }
        let count = fixture.exchange.sent.count
        await #expect(throws: ExchangeError.mustWait(wait)) { _ = try await fixture.restarted().balances() }
        #expect(fixture.exchange.sent.count == count)
    }

    @Test("an order stays unknown during the pause, and is found after it", arguments: [true, false])
    func order(takesEffect: Bool) async throws {
        let fixture = try await ExchangeFixture(.kraken)
        _ = throttled(fixture, at: "/0/private/AddOrder", takesEffect: takesEffect)
        let id = fixture.newID()
        let outcome = try await fixture.client.place(fixture.order(), as: id)
        #expect(outcome == .unknown(.exchange))
        fixture.time.pass(40_000)
        let settled = try await fixture.restarted().reconcile(id)
        if takesEffect {
            guard case .placed(let placed, .query) = settled else { Issue.record("\(settled)"); return }
            #expect(placed.id == id)
        } else {
            #expect(settled == .absent)
        }
        #expect(fixture.exchange.orders.count == 1)
    }
}
