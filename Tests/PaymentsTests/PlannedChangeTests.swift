import Bitcoin
import Custody
import Ethereum
import SigningSession
import Testing
import Wallet

@testable import Payments
@testable import SigningSessionTestSupport

@Suite("Findings that planning has answered", .timeLimit(.minutes(20)))
struct PlannedChangeTests {
    @Test("a finding that the planning has answered needs no acceptance: a new plan answers where its change goes")
    func planned() async throws {
        let home = try await TestHome()
        let chain = ScriptedChain()
        _ = try chain.fund(try home.script(), 100_000)
        let flow = try await home.flow()
        let plan = try #require(
            try await BitcoinPayments(flow, at: chain).plan(try Bob.order(30_000), fee: .test).fresh)
        #expect(plan.isNew)
        #expect(try await flow.propose(plan).planned.names == ["far_index"])
        #expect(try await flow.propose(.bitcoinTransaction(plan.psbt)).planned == .none)
        var proposal = try await flow.propose(
            .personalMessage(try PersonalMessage("hello"), account: 0),
            findings: [PaymentFinding.oneCase("0xab").finding])
        let method = ConfirmationMethod.advance(accepting: .none)
        func isConfirmed() async throws -> Bool {
            if case .confirmed = try await flow.confirmation(of: proposal, by: method) { true } else { false }
        }
        #expect(try await !isConfirmed())
        proposal.planned = AcceptedFindings(["one_case"])
        #expect(try await isConfirmed())
        await flow.close()
    }
}
