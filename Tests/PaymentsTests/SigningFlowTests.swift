import Amounts
import Bitcoin
import Custody
import Ethereum
import Payments
import SigningSession
import Testing
import Wallet
internal import WalletBooks

@testable import SigningSessionTestSupport

/// A flow that pays more than once, waits, is closed, or is given what it did not make.
@Suite("A signing flow", .timeLimit(.minutes(20)))
struct SigningFlowTests {
    private func pay(
        _ satoshis: UInt64, _ flow: SigningFlow, _ chain: ScriptedChain
    ) async throws -> DeliveredBitcoinPayment {
        try #require(
            try await BitcoinPayments(flow, at: chain).pay(try Bob.order(satoshis), fee: .test, untilMined: true) { _ in
                true
            })
    }

    @Test("a flow whose payment was waited for pays again")
    func again() async throws {
        let home = try await TestHome()
        let chain = ScriptedChain()
        for index in 0..<2 { _ = try chain.fund(try home.script(UInt32(index)), 100_000) }
        let flow = try await home.flow()
        for satoshis in [30_000, 40_000] as [UInt64] {
            chain.mine(atLook: 20)
            let paid = try await pay(satoshis, flow, chain)
            #expect(paid.height != nil && paid.warnings == [])
            await flow.acknowledge(paid)
        }
        #expect(chain.taken.count == 2)
        // The book was given away for the last wait: another program has it at once, and the flow waits for it.
        let other = try await home.flow()
        #expect(await other.book.history().allSatisfy { $0.isMined && !$0.isUnheard })
        let error = await failure {
            _ = try await BitcoinPayments(flow, at: chain).plan(try Bob.order(1_000), fee: .test)
        }
        guard case .custody(let held) = error, held.isBusy else {
            Issue.record("\(String(describing: error))")
            return
        }
        await other.close()
        #expect(try await BitcoinPayments(flow, at: chain).plan(try Bob.order(1_000), fee: .test).fresh != nil)
        await flow.close()
    }

    @Test("two payments of one flow are waited for at once, and another program has the book meanwhile")
    func twoWaits() async throws {
        let home = try await TestHome()
        let chain = ScriptedChain()
        for index in 0..<2 { _ = try chain.fund(try home.script(UInt32(index)), 100_000) }
        let clock = HookedClock()
        let flow = try await home.flow(clock: clock)
        clock.atFirstPause {
            let other = try await home.flow()
            await other.close()
            chain.mine(atLook: 30)
            let second = try await pay(40_000, flow, chain)
            #expect(second.height == 201 && second.warnings == [])
            let further = try await home.flow()
            #expect(await further.book.history().map(\.state) == [.sent, .mined(height: 201)])
            await further.close()
        }
        let first = try await pay(30_000, flow, chain)
        #expect(clock.failure == nil)
        #expect(first.height == 201 && first.warnings == [])
        await flow.acknowledge(first)
        let other = try await home.flow()
        #expect(await other.book.history().map(\.state) == [.mined(height: 201), .mined(height: 201)])
        #expect(await other.book.history().map(\.isUnheard) == [false, true])
        await other.close()
        await flow.close()
    }

    @Test(
        "a closed flow gives the book back, and throws an error for each further step; closing it twice changes nothing"
    )
    func closed() async throws {
        let home = try await TestHome()
        let chain = ScriptedChain()
        _ = try chain.fund(try home.script(), 100_000)
        let hearing = Hearing()
        let flow = try await home.flow(report: hearing.signingListener)
        let payments = BitcoinPayments(flow, at: chain)
        let plan = try #require(try await payments.plan(try Bob.order(30_000), fee: .test).fresh)
        let proposal = try await flow.propose(plan)
        let confirmed = try proposal.confirmed(proposal.intent.digest, accepting: [])
        let signed = try await flow.sign(confirmed)
        for _ in 0..<2 { await flow.close() }
        let other = try await home.flow()
        #expect(await other.book.history().map(\.state) == [.signed])
        await other.close()
        let steps: [() async throws -> Void] = [
            { _ = try await payments.plan(try Bob.order(30_000), fee: .test) },
            { _ = try await payments.planConsolidation(most: 2, fee: .test) },
            { _ = try await payments.planCancellation(of: plan.psbt.unsignedTransaction.id, fee: .test) },
            { _ = try await flow.propose(plan) },
            { try await flow.requireShares() },
            { try await flow.hold(proposal) },
            { _ = try await flow.sign(confirmed) },
            { _ = try await payments.deliver(signed, of: plan) },
        ]
        for step in steps { #expect(await failure(step) == .flow(.closed)) }
        await flow.acknowledge(signed.digest)
        #expect(hearing.events.last == .signing(.acknowledgementUnnoted(.flow(.closed))))
        #expect(chain.taken == [])
        await flow.close()
    }

    @Test("a transaction that was signed for another plan or chain is not delivered")
    func otherPlan() async throws {
        let home = try await TestHome()
        let (chain, evm) = (ScriptedChain(), ScriptedEVM())
        for index in 0..<2 { _ = try chain.fund(try home.script(UInt32(index)), 100_000) }
        let flow = try await home.flow()
        let bitcoin = BitcoinPayments(flow, at: chain)
        let ethereum = EthereumPayments(flow, at: try await evm.node())
        let plan = try #require(try await bitcoin.plan(try Bob.order(30_000), fee: .test).fresh)
        let other = try #require(try await bitcoin.plan(try Bob.order(40_000), fee: .test).fresh)
        let ether = try #require(try await ethereum.plan(.test, fee: .test(.normal)).fresh)
        let otherEther = try #require(try await ethereum.plan(.other, fee: .test(.normal)).fresh)
        let signed = try #require(try await flow.sign(try await flow.propose(plan)) { _ in true })
        let signedEther = try #require(try await flow.sign(try await flow.propose(ether)) { _ in true })
        #expect(await failure { _ = try await bitcoin.deliver(signed, of: other) } == .delivery(.otherTransaction))
        #expect(await failure { _ = try await bitcoin.deliver(signedEther, of: plan) } == .delivery(.otherTransaction))
        #expect(await failure { _ = try await ethereum.deliver(signed, of: ether) } == .delivery(.otherTransaction))
        #expect(
            await failure { _ = try await ethereum.deliver(signedEther, of: otherEther) }
                == .delivery(.otherTransaction))
        #expect(chain.taken == [] && evm.taken == [])
        #expect(await flow.book.history().map(\.state) == [.signed, .signed])
        _ = try await bitcoin.deliver(signed, of: plan)
        _ = try await ethereum.deliver(signedEther, of: ether)
        #expect(chain.taken.count == 1 && evm.taken.count == 1)
        await flow.close()
    }

    @Test("a wallet that has signed says so if its book is gone; a new one, and one with its book, do not")
    func lostHistory() async throws {
        let home = try await TestHome()
        let evm = ScriptedEVM()
        func proposed(signing isSigned: Bool = false) async throws -> ProposedSigning {
            let flow = try await home.flow()
            let ethereum = EthereumPayments(flow, at: try await evm.node())
            let plan = try #require(try await ethereum.plan(isSigned ? .test : .other, fee: .test(.normal)).fresh)
            let proposal = try await flow.propose(plan)
            if isSigned {
                _ = try await ethereum.deliver(
                    try #require(try await flow.sign(proposal) { _ in true }), of: plan)
            }
            await flow.close()
            return proposal
        }
        #expect(try await !proposed(signing: true).findings.contains { $0.name == "no_history" })
        #expect(try await !proposed().findings.contains { $0.name == "no_history" })
        try home.loseBook()
        let lost = try await proposed()
        #expect(lost.findings.contains { $0.name == "no_history" })
        // A script with --yes stops, unless it accepts this.
        #expect(Finding.names.contains("no_history"))
        #expect(lost.intent.findings.contains { $0.name == "no_history" && $0.weight == .costly })
    }

    @Test("a rehearsal neither signs nor delivers, and says so in an error")
    func rehearsal() async throws {
        let home = try await TestHome()
        let chain = ScriptedChain()
        _ = try chain.fund(try home.script(), 100_000)
        let flow = try await home.flow()
        let plan = try #require(
            try await BitcoinPayments(flow, at: chain).plan(try Bob.order(30_000), fee: .test).fresh)
        let signed = try #require(try await flow.sign(try await flow.propose(plan)) { _ in true })
        await flow.close()
        let rehearsal = try await home.flow(isRehearsal: true)
        let proposal = try await rehearsal.propose(plan)
        let confirmed = try proposal.confirmed(proposal.intent.digest, accepting: [])
        #expect(await failure { _ = try await rehearsal.sign(confirmed) } == .flow(.rehearsal))
        let payments = BitcoinPayments(rehearsal, at: chain)
        #expect(await failure { _ = try await payments.deliver(signed, of: plan) } == .flow(.rehearsal))
        #expect(chain.taken == [])
        await rehearsal.close()
    }
}
