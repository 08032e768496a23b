internal import Amounts
import Bitcoin
import Ceremonies
import Custody
internal import HDKeys
import Nodes
import Payments
import Secrets
import SigningSession
import TestSupport
import Testing
import Wallet
internal import WalletBooks

@testable import SigningSessionTestSupport

/// Payments on Bitcoin through the library, on a chain and a clock that the test scripts.
@Suite("Payments on Bitcoin", .timeLimit(.minutes(20)))
struct BitcoinPaymentTests {
    private static let fee = BitcoinFee(ceiling: (try? Amount(satoshis: 50_000)) ?? .zero)

    /// Returns the result of a payment with every question confirmed.
    private func pay(
        _ order: BitcoinOrder, _ flow: SigningFlow, _ chain: ScriptedChain, untilMined isAwaited: Bool = false,
        report: @escaping PaymentListener = { _ in }
    ) async throws -> DeliveredBitcoinPayment? {
        try await BitcoinPayments(flow, at: chain, report: report)
            .pay(order, fee: Self.fee, untilMined: isAwaited) { _ in true }
    }

    @Test("a payment is planned, shown, signed and sent, and its events come in this order")
    func whole() async throws {
        let home = try await TestHome()
        let chain = ScriptedChain()
        _ = try chain.fund(try home.script(), 100_000)
        let hearing = Hearing()
        let flow = try await home.flow(report: hearing.signingListener)
        let payments = BitcoinPayments(flow, at: chain, report: hearing.listener)
        var shown: ProposedSigning?
        let delivered = try await payments.pay(try Bob.order(30_000), fee: Self.fee) { proposal in
            shown = proposal
            return true
        }
        let paid = try #require(delivered)
        #expect(shown?.intent.digest == paid.digest && shown?.isPlannedHere == true && shown?.findings == [])
        #expect(chain.taken == [paid.transaction])
        #expect(paid.height == nil && !paid.isEarlier && paid.warnings == [])
        #expect(
            paid.transaction.outputs.contains {
                $0.scriptPubKey == Bob.address.scriptPubKey && $0.amount.satoshis == 30_000
            })
        #expect(
            hearing.events == [
                .payment(.askingForCoins), .signing(.openingShare(.device)), .signing(.openingShare(.backup)),
                .signing(.signing([.device, .backup])),
                .payment(.handingOver(id: "\(paid.transaction.id)", .bitcoin(.regtest))),
            ])
        #expect(await flow.book.history().map(\.state) == [.sent])
        await flow.acknowledge(paid)
        #expect(await flow.book.history().allSatisfy { !$0.isUnheard })
        await flow.book.close()
    }

    @Test("a payment that is not confirmed is not made, and nothing is written")
    func declined() async throws {
        let home = try await TestHome()
        let chain = ScriptedChain()
        _ = try chain.fund(try home.script(), 100_000)
        let flow = try await home.flow()
        let payments = BitcoinPayments(flow, at: chain)
        #expect(try await payments.pay(try Bob.order(30_000), fee: Self.fee) { _ in false } == nil)
        #expect(chain.taken == [])
        #expect(await flow.book.history().isEmpty)
        await flow.book.close()
    }

    @Test("lost answer: the same order, in another process, sends the same bytes, and pays once")
    func lostAnswer() async throws {
        let home = try await TestHome()
        let chain = ScriptedChain()
        _ = try chain.fund(try home.script(), 100_000)
        _ = try chain.fund(try home.script(1), 100_000)
        chain.next(.takesWithoutAnswer)
        let order = try Bob.order(30_000)
        let first = try await home.flow()
        let error = await failure { _ = try await pay(order, first, chain) }
        let sent = try #require(chain.taken.first)
        #expect(
            error
                == .delivery(
                    .notSent(id: "\(sent.id)", .bitcoin(.regtest), .outcomeUnknown, isRefused: false)))
        await first.book.close()
        // The node has lost it, too.
        chain.forget()

        let second = try await home.flow()
        let paid = try #require(try await pay(order, second, chain))
        #expect(paid.isEarlier && paid.transaction == sent)
        #expect(chain.taken == [sent, sent])
        await second.acknowledge(paid)
        // From now on it is another payment, which asks a question.
        let planning = try await BitcoinPayments(second, at: chain).plan(order, fee: Self.fee)
        guard case .fresh(let plan) = planning else {
            Issue.record("planned as \(planning)")
            return
        }
        #expect(plan.findings == [.repeated(.possiblyUnderway, id: "\(sent.id)")])
        #expect(try await second.propose(plan).isRepeated)
        await second.book.close()
    }

    private struct Interrupted: Error {}

    @Test("a question that throws ends the payment with its error, and nothing is signed")
    func thrownQuestion() async throws {
        let home = try await TestHome()
        let chain = ScriptedChain()
        _ = try chain.fund(try home.script(), 100_000)
        let flow = try await home.flow()
        let payments = BitcoinPayments(flow, at: chain)
        let planning = try await payments.plan(try Bob.order(30_000), fee: Self.fee)
        do throws(PaymentStop<Interrupted>) {
            _ = try await payments.pay(planning) { _ throws(Interrupted) in throw Interrupted() }
            Issue.record("it was paid")
        } catch {
            guard case .refused = error else {
                Issue.record("\(error)")
                return
            }
        }
        #expect(await flow.book.history().isEmpty && chain.taken == [])
        await flow.close()
    }

    @Test("a payment that is signed and not sent ends with its signatures")
    func undelivered() async throws {
        let home = try await TestHome()
        let chain = ScriptedChain()
        _ = try chain.fund(try home.script(), 100_000)
        chain.next(.away)
        let flow = try await home.flow()
        let payments = BitcoinPayments(flow, at: chain)
        let planning = try await payments.plan(try Bob.order(30_000), fee: Self.fee)
        do throws(PaymentStop<SigningError>) {
            _ = try await payments.pay(planning) { proposal throws(SigningError) in
                try proposal.confirmed(proposal.intent.digest, accepting: [])
            }
            Issue.record("it was sent")
        } catch {
            guard case .undelivered(let signed, .delivery(.notSent(_, _, .unreachable(.notConnected), _))) = error
            else {
                Issue.record("\(error)")
                return
            }
            let history = await flow.book.history()
            #expect(history.map(\.digest) == [signed.digest] && history.map(\.isSigned) == [true])
        }
        await flow.close()
    }

    @Test("killed between signing and sending: the same order sends the signed transaction", arguments: [true, false])
    func refusedThenAgain(_ hasKey: Bool) async throws {
        let home = try await TestHome()
        let chain = ScriptedChain()
        _ = try chain.fund(try home.script(), 100_000)
        _ = try chain.fund(try home.script(1), 100_000)
        chain.next(.away)
        let order = try Bob.order(30_000, key: hasKey ? "invoice-17" : nil)
        let first = try await home.flow()
        let error = await failure { _ = try await pay(order, first, chain) }
        guard case .delivery(.notSent(let id, _, .unreachable(.notConnected), _)) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        await first.book.close()
        #expect(chain.taken == [])
        let second = try await home.flow()
        let paid = try #require(try await pay(order, second, chain))
        #expect(paid.isEarlier && "\(paid.transaction.id)" == id)
        #expect(chain.taken.count == 1)
        await second.book.close()
    }

    @Test("a payment key pays once, even after its payment is mined and acknowledged, and stands for no other order")
    func key() async throws {
        let home = try await TestHome()
        let chain = ScriptedChain()
        _ = try chain.fund(try home.script(), 100_000)
        _ = try chain.fund(try home.script(1), 100_000)
        let order = try Bob.order(30_000, key: "invoice-17")
        let flow = try await home.flow()
        let paid = try #require(try await pay(order, flow, chain))
        await flow.acknowledge(paid)
        chain.mine()
        let again = try #require(try await pay(order, flow, chain))
        #expect(again.isEarlier && again.transaction.id == paid.transaction.id && again.height == 201)
        #expect(chain.taken.count == 1)
        let key = try PaymentKey("invoice-17")
        #expect(
            await failure { _ = try await pay(try Bob.order(40_000, key: "invoice-17"), flow, chain) }
                == .custody(.book(.otherOrder(key: key))))
        #expect(chain.taken.count == 1)
        await flow.book.close()
    }

    @Test("with waiting, a payment is polled until it is mined; the book is free meanwhile")
    func awaited() async throws {
        let home = try await TestHome()
        let chain = ScriptedChain()
        _ = try chain.fund(try home.script(), 100_000)
        chain.mine(atLook: 5)
        let (clock, hearing) = (HastyClock(), Hearing())
        let flow = try await home.flow(clock: clock)
        let paid = try #require(
            try await pay(try Bob.order(30_000), flow, chain, untilMined: true, report: hearing.listener))
        #expect(paid.height == 201)
        #expect(clock.pauses.count >= 1 && clock.pauses.allSatisfy { $0 == .milliseconds(500) })
        #expect(hearing.events.contains(.payment(.waiting(id: "\(paid.transaction.id)", .bitcoin(.regtest)))))
        // The book was closed during the wait: another flow can open it at once.
        let other = try await home.flow()
        #expect(await other.book.history().map(\.state) == [.mined(height: 201)])
        await other.book.close()
    }

    @Test("a speed-up pays the same and spends the same coins; with waiting, it also ends the first payment")
    func speedUp() async throws {
        let home = try await TestHome()
        let chain = ScriptedChain()
        _ = try chain.fund(try home.script(), 100_000)
        let flow = try await home.flow()
        let payments = BitcoinPayments(flow, at: chain)
        let paid = try #require(try await pay(try Bob.order(30_000), flow, chain))
        let planning = try await payments.planSpeedUp(
            of: paid.transaction.id, fee: BitcoinFee(.high, ceiling: Self.fee.ceiling))
        guard case .fresh(let plan) = planning else {
            Issue.record("planned as \(planning)")
            return
        }
        #expect(plan.fee > (try Amount(satoshis: 0)) && plan.fee.satoshis > (paid.fee?.uint64 ?? .max))
        let proposal = try await flow.propose(plan)
        #expect(
            proposal.findings == [Finding("replaces", "it takes the place of \(paid.transaction.id)", .notice)])
        let signed = try #require(try await flow.sign(proposal) { _ in true })
        let faster = try await payments.deliver(signed, of: plan)
        let spent = Set(paid.transaction.inputs.map(\.previousOutput))
        #expect(!spent.isDisjoint(with: faster.transaction.inputs.map(\.previousOutput)))
        chain.mine()
        // The order finds the speed-up as its own attempt.
        let found = try #require(try await pay(try Bob.order(30_000), flow, chain))
        #expect(found.isEarlier && found.transaction.id == faster.transaction.id && found.height == 201)
        await flow.book.close()
    }

    @Test("a cancellation makes no payment, and an order whose payment key was cancelled is not paid again")
    func cancellation() async throws {
        let home = try await TestHome()
        let chain = ScriptedChain()
        _ = try chain.fund(try home.script(), 100_000)
        let flow = try await home.flow()
        let payments = BitcoinPayments(flow, at: chain)
        let order = try Bob.order(30_000, key: "invoice-18")
        let paid = try #require(try await pay(order, flow, chain))
        let plan = try await payments.planCancellation(of: paid.transaction.id, fee: Self.fee)
        let signed = try #require(try await flow.sign(try await flow.propose(plan)) { _ in true })
        let cancelled = try await payments.deliver(signed, of: plan)
        #expect(!cancelled.transaction.outputs.contains { $0.scriptPubKey == Bob.address.scriptPubKey })
        chain.mine()
        let key = try PaymentKey("invoice-18")
        #expect(
            await failure { _ = try await pay(order, flow, chain) }
                == .duplicate(.cancelled(key, by: "\(cancelled.transaction.id)")))
        await flow.book.close()
    }

    @Test("a rehearsal proposes, writes nothing, and does not send a transaction signed before")
    func rehearsal() async throws {
        let home = try await TestHome()
        let chain = ScriptedChain()
        _ = try chain.fund(try home.script(), 100_000)
        let rehearsal = try await home.flow(isRehearsal: true)
        guard
            case .fresh(let plan) = try await BitcoinPayments(rehearsal, at: chain).plan(
                try Bob.order(30_000), fee: Self.fee)
        else {
            Issue.record("planned as an earlier one")
            return
        }
        #expect(try await rehearsal.propose(plan).decision.verdict == .allowed)
        #expect(await rehearsal.book.history().isEmpty && chain.taken == [])
        await rehearsal.book.close()
        chain.next(.away)
        let flow = try await home.flow()
        _ = await failure { _ = try await pay(try Bob.order(30_000), flow, chain) }
        await flow.book.close()
        let again = try await home.flow(isRehearsal: true)
        let error = await failure { _ = try await pay(try Bob.order(30_000), again, chain) }
        guard case .duplicate(.rehearsal) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(chain.taken == [])
        await again.book.close()
    }

    @Test("a node that is still loading the chain is a costly finding of a payment")
    func loading() async throws {
        let home = try await TestHome()
        let chain = ScriptedChain()
        _ = try chain.fund(try home.script(), 100_000)
        chain.setLag(ChainLag(height: 200, newest: 900))
        let flow = try await home.flow()
        let plan = try #require(
            try await BitcoinPayments(flow, at: chain).plan(try Bob.order(30_000), fee: .test).fresh)
        #expect(plan.findings == [.nodeSyncing(ChainLag(height: 200, newest: 900))])
        #expect(plan.findings.map(\.finding.weight) == [.costly])
        await flow.close()
    }

    @Test("frozen and unknown coins are not spent; if coins are named, only these are spent")
    func coins() async throws {
        let home = try await TestHome()
        let chain = ScriptedChain()
        let (small, large) = (try chain.fund(try home.script(), 60_000), try chain.fund(try home.script(1), 500_000))
        let flow = try await home.flow()
        let payments = BitcoinPayments(flow, at: chain)
        let order = try Bob.order(30_000)
        func spent(_ control: CoinControl) async throws -> [OutPoint] {
            guard case .fresh(let plan) = try await payments.plan(order, fee: Self.fee, coins: control) else {
                return []
            }
            return plan.psbt.unsignedTransaction.inputs.map(\.previousOutput)
        }
        #expect(try await spent(CoinControl(only: [large])) == [large])
        try await flow.book.freeze([large])
        #expect(try await spent(CoinControl()) == [small])
        #expect(await failure { _ = try await spent(CoinControl(only: [large])) } == .coin(.frozen(large)))
        let stranger = OutPoint(transaction: small.transaction, index: 7)
        #expect(await failure { _ = try await spent(CoinControl(only: [stranger])) } == .coin(.unknown(stranger)))
        await flow.book.close()
    }

    @Test("a payment delayed by the policy is a proposal in the book, and is signed from there when it is due")
    func held() async throws {
        let home = try await TestHome()
        try await home.policy(
            """
            {"version":1,"rules":[{"name":"small","if":{"effect":"payment","at_most":"2 BTC@bitcoin:regtest"},"then":{"delay":"1h"}}]}
            """)
        let chain = ScriptedChain()
        _ = try chain.fund(try home.script(), 100_000)
        let flow = try await home.flow()
        let error = await failure { _ = try await pay(try Bob.order(30_000), flow, chain) }
        guard case .custody(.ceremony(.forbidden(let decision))) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(decision.verdict == .notBefore(1_700_003_600))
        #expect(chain.taken == [])
        await flow.book.close()
        let later = try await home.flow(now: 1_700_003_600)
        let held = try #require(await later.book.proposals().first)
        let signed = try #require(try await later.sign(try await later.propose(held: held)) { _ in true })
        #expect(signed.digest == held.digest)
        // The order finds the signed transaction, and sends it.
        let paid = try #require(try await pay(try Bob.order(30_000), later, chain))
        #expect(paid.isEarlier && paid.digest == held.digest && chain.taken.count == 1)
        await later.book.close()
    }

    @Test("one order pays each address once")
    func twice() throws {
        let recipient = SpendOrder.Recipient(Bob.address, .exactly(try Amount(satoshis: 1_000)))
        #expect(throws: PaymentError.address(.paidTwice(Bob.address))) {
            _ = try BitcoinOrder(paying: [recipient, recipient], on: .regtest)
        }
    }
}
