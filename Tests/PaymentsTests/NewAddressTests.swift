import Bitcoin
import Custody
import HDKeys
import Nodes
import Payments
import Testing

@testable import SigningSessionTestSupport

@Suite("A new receiving address", .timeLimit(.minutes(20)))
struct NewAddressTests {
    private let row = ShownAddresses.Row(.taproot, .receive)

    @Test("without a node, each address is given once, and counts as shown from then on")
    func alone() async throws {
        let home = try await TestHome()
        for index in 0..<3 as Range<UInt32> {
            let found = try #require(try await home.home.takeNewAddress(.taproot, of: home.wallet, asking: nil))
            #expect(found.index == index && !found.wasShown)
            #expect(home.home.shownAddresses(of: home.wallet).end(of: row) == index + 1)
        }
        // The addresses of the other kind are counted for themselves.
        let other = try await home.home.takeNewAddress(.segwit, of: home.wallet, asking: nil)
        #expect(other?.index == 0)
    }

    @Test("calls at the same time give different addresses")
    func concurrent() async throws {
        let home = try await TestHome()
        let indices = try await withThrowingTaskGroup(of: UInt32?.self) { group in
            for number in 0..<8 {
                let chain = number % 2 == 0 ? ScriptedChain() : nil
                group.addTask {
                    try await home.home.takeNewAddress(.taproot, of: home.wallet, asking: chain)?.index
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(indices) == Set(0..<8 as Range<UInt32>))
    }

    @Test("an address that was paid is passed over, and does not count as shown", arguments: [true, false])
    func paid(_ hasRecord: Bool) async throws {
        let home = try await TestHome()
        let chain = ScriptedChain(hasRecord: hasRecord)
        for index in [0, 1, 2] as [UInt32] { _ = try chain.fund(try home.script(index), 1_000) }
        for index in [3, 4] as [UInt32] {
            let found = try #require(try await home.home.takeNewAddress(.taproot, of: home.wallet, asking: chain))
            #expect(found.index == index && !found.wasShown)
        }
        let shown = home.home.shownAddresses(of: home.wallet)
        #expect((0..<6).filter { shown.contains($0, in: row) } == [3, 4])
    }

    @Test("where every address counts as shown, an unpaid one is given again, which only a node can tell")
    func allShown() async throws {
        let home = try await TestHome()
        try await home.showAll(.taproot)
        #expect(try await home.home.takeNewAddress(.taproot, of: home.wallet, asking: nil) == nil)
        let chain = ScriptedChain()
        _ = try chain.fund(try home.script(), 1_000)
        let found = try #require(try await home.home.takeNewAddress(.taproot, of: home.wallet, asking: chain))
        #expect(found.wasShown && found.index > 0)
    }

    @Test("a node that does not answer gives an error, and no address counts as shown")
    func unanswered() async throws {
        let home = try await TestHome()
        let chain = ScriptedChain()
        chain.leave()
        let error = await failure {
            _ = try await home.home.takeNewAddress(.taproot, of: home.wallet, asking: chain)
        }
        #expect(error == .node(.unreachable(.notConnected)))
        #expect(home.home.shownAddresses(of: home.wallet) == ShownAddresses())
    }
}
