import Bitcoin
import Custody
import HDKeys
import Payments
import Testing

@testable import SigningSessionTestSupport

@Suite("The scanned addresses", .timeLimit(.minutes(20)))
struct AddressReachTests {
    @Test("a gap of 0 counts as 1, also where an explorer is asked for one gap after the other")
    func noGap() async throws {
        let home = try await TestHome()
        let shown = home.home.shownAddresses(of: home.wallet)
        let reach = AddressReach(gap: 0, shown: shown)
        try #require(reach.gap == 1)
        let chain = ScriptedChain(hasRecord: true)
        let coins = [try chain.fund(try home.script(), 100_000), try chain.fund(try home.script(1), 100_000)]
        _ = try chain.fund(try home.script(3), 100_000)
        let found = try await SpendableCoins.found(by: chain, for: home.wallet, reach: reach)
        // The address behind the second one was never used, and ends the search.
        #expect(Set(found.coins.map(\.outPoint)) == Set(coins))
    }

    @Test("the largest gap reaches no further than there are addresses")
    func largestGap() async throws {
        let home = try await TestHome()
        let row = ShownAddresses.Row(.taproot, .receive)
        _ = try await home.home.noteShown(3, in: row, of: home.wallet)
        let reach = AddressReach(gap: .max, shown: home.home.shownAddresses(of: home.wallet))
        #expect(reach.gap == .max && reach.least == BitcoinLimits.scannedAddresses)
    }
}
