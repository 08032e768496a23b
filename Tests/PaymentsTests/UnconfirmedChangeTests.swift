import Bitcoin
import Custody
import HDKeys
import Nodes
import Payments
import SigningSession
import Testing
import Wallet

@testable import SigningSessionTestSupport

/// The wallet's own change is spent before a block has it, where nothing else suffices.
@Suite("Change that waits for a block", .timeLimit(.minutes(20)))
struct UnconfirmedChangeTests {
    private let home: TestHome
    private let chain = ScriptedChain()
    private let coin: OutPoint

    init() async throws {
        home = try await TestHome()
        coin = try chain.fund(try home.script(), 1_000_000)
    }

    private func pay(
        _ satoshis: UInt64, _ flow: SigningFlow, key: String? = nil
    ) async throws -> DeliveredBitcoinPayment {
        try #require(
            try await BitcoinPayments(flow, at: chain).pay(try Bob.order(satoshis, key: key), fee: .test) { _ in true })
    }

    private func plan(
        _ satoshis: UInt64, _ flow: SigningFlow, _ control: CoinControl = CoinControl(), key: String? = nil
    ) async throws -> PlannedBitcoinPayment {
        try #require(
            try await BitcoinPayments(flow, at: chain).plan(
                try Bob.order(satoshis, key: key), fee: .test, coins: control
            ).fresh)
    }

    private func isShort(_ error: PaymentError?) -> Bool {
        if case .plan(.insufficientFunds) = error { true } else { false }
    }

    @Test("unconfirmed change is spent, and the review names the transaction that it depends on")
    func spent() async throws {
        let flow = try await home.flow()
        let first = try await pay(300_000, flow)
        let planned = try await plan(400_000, flow)
        #expect(planned.psbt.unsignedTransaction.inputs.map(\.previousOutput.transaction) == [first.transaction.id])
        #expect(planned.findings == [.unconfirmedChange(of: ["\(first.transaction.id)"])])
        let proposal = try await flow.propose(planned)
        #expect(proposal.intent.findings.contains { $0.name == "unconfirmed_change" && $0.weight == .notice })
        let signed = try #require(try await flow.sign(proposal) { _ in true })
        _ = try await BitcoinPayments(flow, at: chain).deliver(signed, of: planned)
        #expect(chain.taken.count == 2)
        await flow.close()
    }

    @Test("coins in blocks are spent first, and nothing is found then")
    func confirmedFirst() async throws {
        let further = try chain.fund(try home.script(1), 500_000)
        let flow = try await home.flow()
        let payments = BitcoinPayments(flow, at: chain)
        let first = try #require(
            try await payments.plan(try Bob.order(300_000), fee: .test, coins: CoinControl(only: [coin])).fresh)
        let signed = try #require(try await flow.sign(try await flow.propose(first)) { _ in true })
        _ = try await payments.deliver(signed, of: first)
        let second = try await plan(400_000, flow)
        #expect(second.psbt.unsignedTransaction.inputs.map(\.previousOutput) == [further])
        #expect(second.findings == [])
        // Both together, where one does not suffice.
        let third = try await plan(1_000_000, flow)
        #expect(third.psbt.unsignedTransaction.inputs.count == 2 && third.findings.count == 1)
        await flow.close()
    }

    @Test("unconfirmed coins from others are not spent, not even at a change address")
    func strangers() async throws {
        let flow = try await home.flow()
        _ = try await pay(300_000, flow)
        _ = try chain.pay(try home.script(5), 5_000_000)
        _ = try chain.pay(try home.script(5, .change), 5_000_000)
        #expect(isShort(await failure { _ = try await plan(2_000_000, flow) }))
        let planned = try await plan(400_000, flow)
        #expect(planned.findings == [.unconfirmedChange(of: ["\(chain.taken[0].id)"])])
        await flow.close()
    }

    @Test("a named number of confirmations is respected, also by named coins")
    func leastConfirmations() async throws {
        let flow = try await home.flow()
        let first = try await pay(300_000, flow)
        let change = try #require(
            first.transaction.outputs.firstIndex { $0.scriptPubKey != Bob.address.scriptPubKey }
        )
        let place = OutPoint(transaction: first.transaction.id, index: UInt32(change))
        #expect(isShort(await failure { _ = try await plan(400_000, flow, CoinControl(leastConfirmations: 1)) }))
        #expect(
            await failure { _ = try await plan(400_000, flow, CoinControl(only: [place], leastConfirmations: 1)) }
                == .plan(.unavailableCoin(place)))
        #expect(try await plan(400_000, flow, CoinControl(only: [place])).findings.count == 1)
        chain.mine()
        #expect(try await plan(400_000, flow, CoinControl(leastConfirmations: 1)).findings == [])
        #expect(isShort(await failure { _ = try await plan(400_000, flow, CoinControl(leastConfirmations: 2)) }))
        await flow.close()
    }

    @Test("no more transactions depend on each other than nodes relay")
    func limits() async throws {
        let flow = try await home.flow()
        _ = try await pay(300_000, flow)
        for (descendants, size) in [(24, nil), (0, 101_000)] as [(Int, Int?)] {
            chain.crowd(descendants: descendants, ancestorSize: size)
            #expect(isShort(await failure { _ = try await plan(400_000, flow) }))
        }
        chain.crowd(descendants: 23, ancestorSize: 100_000)
        #expect(try await plan(400_000, flow).findings.count == 1)
        await flow.close()
    }

    @Test("of a row of payments, each spends the change of the one before, up to twenty-five")
    func row() async throws {
        let flow = try await home.flow()
        for number in 0..<25 as Range<UInt64> { _ = try await pay(1_000 + number, flow) }
        #expect(chain.taken.count == 25)
        #expect(isShort(await failure { _ = try await plan(2_000, flow) }))
        chain.mine()
        #expect(try await plan(2_000, flow).findings == [])
        await flow.close()
    }

    @Test(
        "a payment whose change was taken away by a speed-up of the payment before is made anew, and asked about",
        arguments: [nil, "invoice-17"])
    func parentReplaced(key: String?) async throws {
        let flow = try await home.flow()
        let payments = BitcoinPayments(flow, at: chain)
        let first = try await pay(300_000, flow)
        let second = try await pay(400_000, flow, key: key)
        let faster = try await payments.planSpeedUp(
            of: first.transaction.id, fee: BitcoinFee(.high, ceiling: BitcoinFee.test.ceiling))
        let replacement = try #require(faster.fresh)
        let signed = try #require(try await flow.sign(try await flow.propose(replacement)) { _ in true })
        _ = try await payments.deliver(signed, of: replacement)
        // As nodes do: what spends a replaced transaction goes with it.
        chain.drop(second.transaction.id)
        #expect(
            await failure { _ = try await plan(400_000, flow, key: key) }
                == .duplicate(.unclear(id: "\(second.transaction.id)")))
        chain.mine()
        // The first order is told, so that the book knows what a block has.
        #expect(try await pay(300_000, flow).isEarlier)
        let planned = try await plan(400_000, flow, key: key)
        #expect(planned.findings == [.repeated(.displaced, id: "\(second.transaction.id)")])
        await flow.close()
    }
}
