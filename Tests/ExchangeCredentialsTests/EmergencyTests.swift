import Testing
import Time

@testable import ExchangeCredentials

@Suite struct EmergencyTests {
    private func plan(_ venue: Venue, _ rights: [KeyRight]?) throws -> [EmergencyPlan.Step] {
        EmergencyPlan(for: try KeyLabel("main"), at: venue, created: Timestamp(milliseconds: 5), rights: rights).steps
    }

    @Test(
        "the key is deleted at the exchange first, and wiped here after the account was looked through",
        arguments: Venue.allCases)
    func order(venue: Venue) throws {
        let steps = try plan(venue, nil)
        guard case .deleteKeyAtExchange(let page) = steps.first else { Issue.record("\(steps)"); return }
        #expect(page.hasPrefix("https://") && page.contains(venue.rawValue))
        let wipe = try #require(steps.firstIndex(of: .revokeLocally(try KeyLabel("main"))))
        let review = try #require(steps.firstIndex(of: .reviewWithdrawals(since: Timestamp(milliseconds: 5))))
        let cancel = try #require(steps.firstIndex(of: .cancelOpenOrders))
        #expect(cancel < review && review < wipe)
        #expect(steps.last == .createRestrictedKey)
        #expect(Set(steps).count == steps.count)
    }

    @Test("unknown rights count as every right, and a key that only reads needs fewer steps")
    func rights() throws {
        #expect(try plan(.kraken, nil) == plan(.kraken, [.read, .trade, .withdraw]))
        let reading = try plan(.kraken, [.read])
        #expect(!reading.contains(.cancelOpenOrders))
        #expect(!reading.contains { if case .reviewWithdrawals = $0 { true } else { false } })
        #expect(
            try plan(.kraken, [.read, .unknown("x")]).contains { if case .lockAccount = $0 { true } else { false } })
    }
}
