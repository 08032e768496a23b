import Amounts
import Bitcoin
import Ethereum
import Nodes
import Payments
import PinnedHTTP
import SigningSession
import Testing

@testable import SigningSessionTestSupport

/// How a wait for a block ends where none comes.
@Suite("A wait for a block", .timeLimit(.minutes(20)))
struct WaitTests {
    /// Long enough for every wait that ends by itself.
    private static let pauses = 2_000

    @Test("on Ethereum, a wait ends when the node has shown the transaction nowhere for the named time")
    func neverShown() async throws {
        for patience in [PaymentLimits.unseenOnEthereum, .seconds(30)] {
            let home = try await TestHome()
            let chain = ScriptedEVM()
            chain.setBlind(true)
            let clock = HookedClock(limit: Self.pauses)
            let flow = try await home.flow(clock: clock)
            let payments = EthereumPayments(flow, at: try await chain.node(), patience: patience)
            let error = await failure {
                _ = try await payments.pay(.test, fee: .test(.normal), untilMined: true) { _ in true }
            }
            let sent = try #require(chain.taken.first)
            #expect(error == .delivery(.notShown(id: sent.name)))
            #expect(clock.elapsed >= patience && clock.elapsed < patience + .seconds(5))
            // It may be mined anyway: the same order finds it.
            chain.setBlind(false)
            let again = try #require(try await payments.pay(.test, fee: .test(.normal)) { _ in true })
            #expect(again.isEarlier && again.transaction == sent && chain.taken.count == 1)
            await flow.close()
        }
    }

    @Test("on Ethereum, a node that shows the transaction now and then, or does not answer, does not end the wait")
    func shownNowAndThen() async throws {
        let home = try await TestHome()
        let chain = ScriptedEVM()
        let clock = HookedClock(limit: Self.pauses)
        let flow = try await home.flow(clock: clock)
        let payments = EthereumPayments(flow, at: try await chain.node(), patience: .seconds(30))
        // It is away from the second look on, and mined at the forty-fifth; in between, the node does not answer once.
        clock.atFirstPause { chain.setBlind(true) }
        chain.fail(atLook: 20, times: NodeLimits.attempts, HTTPFailure(.notConnected, mayHaveArrived: false))
        chain.mine(atLook: 45)
        let paid = try #require(try await payments.pay(.test, fee: .test(.normal), untilMined: true) { _ in true })
        #expect(paid.height == 11)
        await flow.close()
    }

    @Test("on Ethereum, a payment that was sped up is waited for as long as the node shows the faster one")
    func spedUp() async throws {
        let home = try await TestHome()
        let chain = ScriptedEVM()
        let clock = HookedClock(limit: Self.pauses)
        let flow = try await home.flow(clock: clock)
        let node = try await chain.node()
        clock.atFirstPause {
            let other = try await home.flow()
            let first = try #require(chain.taken.first)
            let (payments, plan) = try await EthereumPayments.planReplacement(
                of: first.hash, by: .faster, fee: .test(.high), account: nil, other, at: node)
            let signed = try #require(try await other.sign(try await other.propose(plan)) { _ in true })
            _ = try await payments.deliver(signed, of: plan)
            await other.close()
            chain.mine(atLook: 60)
        }
        let payments = EthereumPayments(flow, at: node, patience: .seconds(10))
        let paid = try #require(try await payments.pay(.test, fee: .test(.normal), untilMined: true) { _ in true })
        #expect(clock.failure == nil && clock.elapsed > .seconds(20))
        #expect(paid.transaction == chain.taken[1] && paid.replaced == chain.taken[0].name)
        await flow.close()
    }

    @Test("on Ethereum, the reported waiting time comes from the clock, however slow the queries are")
    func slow() async throws {
        let home = try await TestHome()
        let chain = ScriptedEVM()
        chain.mine(atLook: 30)
        let (clock, told) = (HookedClock(slowness: 7), Told())
        let flow = try await home.flow(clock: clock)
        let payments = EthereumPayments(flow, at: try await chain.node()) { event in
            if case .stillWaiting(let seconds) = event { told.add(.seconds(seconds), clock.elapsed) }
        }
        _ = try #require(try await payments.pay(.test, fee: .test(.normal), untilMined: true) { _ in true })
        #expect(told.pairs.count > 5 && told.pairs.allSatisfy { $0.0 == $0.1 })
        await flow.close()
    }

    @Test("on Bitcoin, a wait ends when the node has forgotten the transaction")
    func forgotten() async throws {
        let home = try await TestHome()
        let chain = ScriptedChain()
        _ = try chain.fund(try home.script(), 100_000)
        let clock = HookedClock(limit: Self.pauses)
        clock.atFirstPause { chain.forget() }
        let flow = try await home.flow(clock: clock)
        let payments = BitcoinPayments(flow, at: chain)
        let error = await failure {
            _ = try await payments.pay(try Bob.order(30_000), fee: .test, untilMined: true) { _ in true }
        }
        let id = "\(try #require(chain.taken.first).id)"
        #expect(error == .delivery(.lostSight(id: id, .failed(.delivery(.notShown(id: id))))))
        #expect(clock.elapsed < .seconds(60))
        await flow.close()
    }
}
