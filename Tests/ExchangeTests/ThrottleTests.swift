import PinnedHTTP
import Testing

@testable import Exchange

/// Kraken's "EService: Throttled", which tells the end of a pause.
@Suite("A throttled request") struct ThrottleTests {
    private let json = [HTTPHeader("Content-Type", "application/json")]

    private func throttled(_ desk: Desk, at path: String, takesEffect: Bool) -> UInt64 {
        let end = desk.time.now / 1_000 + 30
        let body = #"{"error":["EService: Throttled: [\#(end)]"]}"#
        desk.exchange.next(
            takesEffect
                ? .answerAfter(status: 200, body: body, headers: json)
                : .answerInstead(status: 200, body: body, headers: json), at: "POST \(path)")
        return end * 1_000 + 2_000
    }

    @Test("its pause lasts until the time in the text, for every client")
    func pause() async throws {
        let desk = try await Desk(.kraken)
        let end = throttled(desk, at: "/0/private/Balance", takesEffect: false)
        let wait = Wait(reason: .rateLimit, until: Moment(milliseconds: end))
        await #expect(throws: ExchangeError.mustWait(wait)) { _ = try await desk.client.balances() }
        let count = desk.exchange.sent.count
        await #expect(throws: ExchangeError.mustWait(wait)) { _ = try await desk.restarted().balances() }
        #expect(desk.exchange.sent.count == count)
    }

    @Test("an order stays unknown during the pause, and is found after it", arguments: [true, false])
    func order(takesEffect: Bool) async throws {
        let desk = try await Desk(.kraken)
        _ = throttled(desk, at: "/0/private/AddOrder", takesEffect: takesEffect)
        let id = desk.newID()
        let outcome = try await desk.client.place(desk.order(), as: id)
        #expect(outcome == .unknown(.exchange))
        desk.time.pass(40_000)
        let settled = try await desk.restarted().reconcile(id)
        if takesEffect {
            guard case .placed(let placed, .query) = settled else { Issue.record("\(settled)"); return }
            #expect(placed.id == id)
        } else {
            #expect(settled == .absent)
        }
        #expect(desk.exchange.orders.count == 1)
    }
}
