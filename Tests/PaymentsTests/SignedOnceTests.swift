import Bitcoin
import Custody
import Ethereum
import Payments
import SigningSession
import Testing
import Wallet
internal import WalletBooks

@testable import SigningSessionTestSupport

/// Two plans of one order that were made before either of them is signed.
@Suite("An order is signed once", .timeLimit(.minutes(20)))
struct SignedOnceTests {
    @Test(
        "the second of two plans of one order on Bitcoin that spend different coins is not signed",
        arguments: [nil, "invoice-17"])
    func bitcoin(key: String?) async throws {
        let home = try await TestHome()
        let chain = ScriptedChain()
        let coins = [try chain.fund(try home.script(), 100_000), try chain.fund(try home.script(1), 100_000)]
        let flow = try await home.flow()
        let payments = BitcoinPayments(flow, at: chain)
        let order = try Bob.order(30_000, key: key)
        var plans: [(plan: PlannedBitcoinPayment, proposal: ProposedSigning)] = []
        for coin in coins {
            let plan = try #require(
                try await payments.plan(
                    order, fee: .test, coins: CoinControl(only: [coin])
                ).fresh)
            plans.append((plan, try await flow.propose(plan)))
        }
        let signed = try #require(try await flow.sign(plans[0].proposal) { _ in true })
        let error = await failure { _ = try await flow.sign(plans[1].proposal) { _ in true } }
        let id = plans[0].plan.psbt.unsignedTransaction.id
        #expect(error == .custody(.book(.attemptedMeanwhile(id: "\(id)"))))
        _ = try await payments.deliver(signed, of: plans[0].plan)
        #expect(chain.taken.map(\.id) == [id])
        // Planned anew, the order is the payment that was made.
        let earlier = try #require(try await payments.plan(order, fee: .test).earlier)
        #expect(earlier.transaction.id == id)
        await flow.book.close()
    }

    @Test("two orders with one payment key are one payment, even if both were planned before either was signed")
    func key() async throws {
        let home = try await TestHome()
        let chain = ScriptedChain()
        let coins = [try chain.fund(try home.script(), 100_000), try chain.fund(try home.script(1), 100_000)]
        let flow = try await home.flow()
        var proposals: [ProposedSigning] = []
        for (coin, amount) in zip(coins, [30_000, 40_000] as [UInt64]) {
            let plan = try #require(
                try await BitcoinPayments(flow, at: chain).plan(
                    try Bob.order(amount, key: "invoice-17"), fee: .test, coins: CoinControl(only: [coin])
                ).fresh)
            proposals.append(try await flow.propose(plan))
        }
        _ = try #require(try await flow.sign(proposals[0]) { _ in true })
        let error = await failure { _ = try await flow.sign(proposals[1]) { _ in true } }
        #expect(error == .custody(.book(.otherOrder(key: try PaymentKey("invoice-17")))))
        await flow.book.close()
    }

    @Test(
        "the second of two plans of one order on Ethereum is not signed, whether it is equal or pays more",
        arguments: [FeePriority.normal, .high])
    func ethereum(priority: FeePriority) async throws {
        let home = try await TestHome()
        let chain = ScriptedEVM()
        let flow = try await home.flow()
        let payments = EthereumPayments(flow, at: try await chain.node())
        var plans: [(plan: PlannedEthereumPayment, proposal: ProposedSigning)] = []
        for priority in [.normal, priority] {
            let plan = try #require(
                try await payments.plan(
                    .test, key: try PaymentKey("invoice-17"), fee: .test(priority)
                ).fresh)
            plans.append((plan, try await flow.propose(plan)))
        }
        let signed = try #require(try await flow.sign(plans[0].proposal) { _ in true })
        let error = await failure { _ = try await flow.sign(plans[1].proposal) { _ in true } }
        let delivered = try await payments.deliver(signed, of: plans[0].plan)
        #expect(error == .custody(.book(.attemptedMeanwhile(id: delivered.transaction.name))))
        #expect(chain.taken == [delivered.transaction])
        await flow.book.close()
    }

    @Test("a plan whose nonce another order has used since is not signed")
    func number() async throws {
        let home = try await TestHome()
        let chain = ScriptedEVM()
        let flow = try await home.flow()
        let payments = EthereumPayments(flow, at: try await chain.node())
        let plan = try #require(try await payments.plan(.test, fee: .test(.high)).fresh)
        let proposal = try await flow.propose(plan)
        let other = try #require(try await payments.pay(.other, fee: .test(.normal)) { _ in true })
        let error = await failure { _ = try await flow.sign(proposal) { _ in true } }
        #expect(error == .custody(.book(.attemptedMeanwhile(id: other.transaction.name))))
        let paid = try #require(try await payments.pay(.test, fee: .test(.high)) { _ in true })
        #expect(paid.transaction.transaction.nonce == 1)
        #expect(chain.taken.map { $0.transaction.nonce } == [0, 1])
        await flow.book.close()
    }

    @Test("a payment that was signed during the question about a speed-up keeps its place in the nonce ledger")
    func ledger() async throws {
        let home = try await TestHome()
        let chain = ScriptedEVM()
        let flow = try await home.flow()
        let node = try await chain.node()
        let payments = EthereumPayments(flow, at: node)
        let first = try #require(try await payments.pay(.test, fee: .test(.normal)) { _ in true })
        let (replacing, plan) = try await EthereumPayments.planReplacement(
            of: first.transaction.hash, by: .faster, fee: .test(.high), account: nil, flow, at: node)
        let proposal = try await flow.propose(plan)
        _ = try #require(try await payments.pay(.other, fee: .test(.normal)) { _ in true })
        let signed = try #require(try await flow.sign(proposal) { _ in true })
        _ = try await replacing.deliver(signed, of: plan)
        let ledger = try await flow.book.nonceLedger(on: ScriptedEVM.chain, of: first.transaction.sender)
        #expect(ledger.slots.map(\.nonce) == [0, 1])
        #expect(ledger.slots.map(\.attempts.count) == [2, 1])
        await flow.book.close()
    }
}
