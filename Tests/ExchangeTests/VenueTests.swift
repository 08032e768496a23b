import Exchange
import PinnedHTTP
import Testing

@Suite struct VenueTests {
    @Test("each exchange has an address with encryption")
    func origins() {
        #expect(Venue.allCases.map(\.origin.description) == ["https://api.binance.com", "https://api.kraken.com"])
    }
}
