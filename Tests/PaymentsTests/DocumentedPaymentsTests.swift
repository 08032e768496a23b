import Bitcoin
import Custody
import HDKeys
import Payments
import SigningSession
import Testing
import Wallet

@testable import SigningSessionTestSupport

@Suite("Documentation: payments", .timeLimit(.minutes(20)))
struct DocumentedPaymentsTests {
    @Test("the documented code pays, once")
    func documented() async throws {
        let home = try await TestHome()
        let node = ScriptedChain()
        _ = try node.fund(try home.script(), 100_000)
        let flow = try await home.flow()
        let payee = Bob.address
        func ask(_ proposal: ProposedSigning) async -> Bool { !proposal.intent.effects.isEmpty }
        // snippet
        let payments = BitcoinPayments(flow, at: node)
        let order = try BitcoinOrder(
            paying: [.init(payee, .exactly(Amount(satoshis: 30_000)))], key: PaymentKey("invoice-17"), on: .regtest)
        let fee = try BitcoinFee(.normal, ceiling: Amount(satoshis: 50_000))
        let paid = try await payments.pay(order, fee: fee) { proposal in await ask(proposal) }
        // end
        #expect(node.taken == [try #require(paid).transaction])
        for _ in 0..<2 {
            // snippet
            switch try await payments.plan(order, fee: fee) {
            case .earlier(let transaction):
                // It was signed before: it is looked up, and sent again if the node does not have it.
                _ = try await payments.resend(transaction)
            case .fresh(let plan):
                let proposal = try await flow.propose(plan)
                let confirmed = try proposal.confirmed(proposal.intent.digest, accepting: [])
                _ = try await payments.deliver(try await flow.sign(confirmed), of: plan)
            }
            // end
        }
        #expect(node.taken.count == 1)
        var (saved, problems): ([PaymentStatus], [PaymentError]) = ([], [])
        func show(_ problem: PaymentError) { problems.append(problem) }
        func save(_ payment: PaymentStatus) { saved.append(payment) }
        // snippet
        for payment in try await payments.resume() { if let problem = payment.problem { show(problem) } }
        for payment in try await flow.unheard() {
            save(payment)
            await flow.acknowledge(payment)
        }
        // end
        #expect(saved.map(\.stage) == [.sent] && problems == [])
        await flow.close()
    }
}
