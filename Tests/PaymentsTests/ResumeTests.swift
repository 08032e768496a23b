import Amounts
import Bitcoin
import Custody
import Ethereum
import Nodes
import Payments
import SigningSession
import Testing
import Wallet
internal import WalletBooks

@testable import SigningSessionTestSupport

/// A program that was killed goes on without knowing what was ordered.
@Suite("A payment that is resumed", .timeLimit(.minutes(20)))
struct ResumeTests {
    /// Whether a block comes between the cut and the next start, and the key of the order.
    struct Case: CustomTestStringConvertible {
        let isMined: Bool
        let key: String?

        static let all = [true, false].flatMap { isMined in
            [nil, "invoice-17"].map { Case(isMined: isMined, key: $0) }
        }
        var testDescription: String { "\(isMined ? "mined" : "waiting"), \(key ?? "without a key")" }
    }

    /// What the network may have when a program is cut between two writes: as it was when the first one had ended, or the next one began.
    private func networks<Network>(_ cuts: [CutRecorder<Network>.Cut], _ index: Int) -> [Network] {
        (index > 0 ? [cuts[index - 1].network] : []) + [cuts[index].network]
    }

    /// Tells every result, once.
    private func hear(_ flow: SigningFlow) async throws -> [PaymentStatus] {
        let unheard = try await flow.unheard()
        for payment in unheard { await flow.acknowledge(payment) }
        #expect(try await flow.unheard() == [])
        return unheard
    }

    /// An order on a chain, and how a test pays and resumes it there.
    private struct Site<Network: Sendable> {
        let order: OrderIdentity
        let saved: @Sendable () -> Network
        let restore: (Network) -> Void
        let mine: () -> Void
        /// The number of transactions on the chain that pay the order.
        let payments: () -> Int
        /// Gives the order, and returns the digest that acknowledges the answer.
        let pay: (SigningFlow) async throws -> [UInt8]?
        /// Resumes all payments, and returns whether none had a problem.
        let resume: (SigningFlow) async throws -> Bool
    }

    /// Pays an order once, then cuts the program behind each write of its book. The next program resumes the payment and
    /// lists it, which does not answer the order: given again, also after a block, it answers with this payment.
    ///
    /// - Returns: every stage at which a payment was found after a cut.
    private func cut<Network>(
        _ home: TestHome, _ site: Site<Network>, _ example: Case, writes least: Int
    ) async throws -> Set<PaymentStatus.Stage> {
        let recorder = try CutRecorder(home, site.saved)
        recorder.record()
        let flow = try await home.flow(random: recorder)
        let answer = try #require(try await site.pay(flow))
        recorder.record()
        // Up to this cut the order is not answered. The last write is the checkpoint of the wallet's log.
        let told = recorder.cuts.count
        await flow.acknowledge(answer)
        #expect(try await flow.unheard() == [])
        recorder.record()
        await flow.close()
        recorder.record()
        let cuts = recorder.cuts
        #expect(cuts.count >= least)
        var stages: Set<PaymentStatus.Stage> = []
        for index in cuts.indices {
            for network in networks(cuts, index) {
                try recorder.restore(cuts[index])
                site.restore(network)
                if example.isMined { site.mine() }
                let flow = try await home.flow()
                let before = try await flow.payments()
                stages.formUnion(before.map(\.stage))
                #expect(try await site.resume(flow))
                // What was signed is handed over without the order.
                if before.contains(where: \.isUnderway) { #expect(site.payments() == 1) }
                let heard = try await hear(flow)
                #expect(heard.allSatisfy { $0.order == site.order } && heard.count <= 1)
                if index < told {
                    let again = try #require(try await site.pay(flow))
                    #expect(site.payments() == 1)
                    site.mine()
                    #expect(try await site.pay(flow) == again, "the order was not answered")
                    await flow.acknowledge(again)
                }
                #expect(site.payments() <= 1)
                site.mine()
                #expect(site.payments() <= 1)
                await flow.close()
            }
        }
        return stages
    }

    @Test(
        "on Bitcoin, cut behind each write of the book: it is resumed and listed, ordered again, and one payment is made",
        arguments: Case.all)
    func bitcoin(_ example: Case) async throws {
        let home = try await TestHome()
        let chain = ScriptedChain()
        for index in 0..<3 { _ = try chain.fund(try home.script(UInt32(index)), 100_000) }
        let order = try Bob.order(30_000, key: example.key)
        let site = Site(
            order: order.identity, saved: { chain.saved }, restore: chain.restore, mine: { chain.mine() },
            payments: { chain.payments(to: Bob.address) },
            pay: {
                try await BitcoinPayments($0, at: chain).pay(order, fee: .test) { _ in true }?.acknowledgedDigest
            },
            resume: { try await BitcoinPayments($0, at: chain).resume().allSatisfy { $0.problem == nil } })
        let stages = try await cut(home, site, example, writes: 5)
        #expect(stages.isSuperset(of: [.unfinished, .signed, .unanswered, .sent]))
    }

    @Test(
        "on Ethereum, cut behind each write of the book: it is resumed and listed, ordered again, and one payment is made",
        arguments: Case.all)
    func ethereum(_ example: Case) async throws {
        let home = try await TestHome()
        let chain = ScriptedEVM()
        let key = try example.key.map { try PaymentKey($0) }
        let node = try await chain.node()
        let site = Site(
            order: EthereumOrder.test.identity(key: key, on: ScriptedEVM.chain, account: 0), saved: { chain.saved },
            restore: chain.restore, mine: { chain.mine() }, payments: { chain.present.count },
            pay: {
                let payments = EthereumPayments($0, at: node)
                return try await payments.pay(.test, key: key, fee: .test(.normal)) { _ in true }?.acknowledgedDigest
            }, resume: { try await EthereumPayments($0, at: node).resume().allSatisfy { $0.problem == nil } })
        let stages = try await cut(home, site, example, writes: 6)
        #expect(stages.isSuperset(of: [.unfinished, .signed, .sent]))
    }

    @Test("held, signed, sent, mined and cancelled payments are listed with their stage until they are acknowledged")
    func stages() async throws {
        let home = try await TestHome()
        let chain = ScriptedChain()
        for index in 0..<4 { _ = try chain.fund(try home.script(UInt32(index)), 100_000) }
        let flow = try await home.flow()
        let payments = BitcoinPayments(flow, at: chain)
        #expect(try await flow.payments() == [])
        let held = try #require(try await payments.plan(try Bob.order(10_000), fee: .test).fresh)
        try await flow.hold(try await flow.propose(held))
        #expect(try await flow.payments().map(\.stage) == [.held(since: 1_700_000_000)])
        #expect(try await flow.unheard() == [])
        chain.next(.away)
        _ = await failure { _ = try await payments.pay(try Bob.order(20_000), fee: .test) { _ in true } }
        #expect(try await flow.payments().map(\.stage) == [.unanswered, .held(since: 1_700_000_000)])
        // The node refuses it first.
        chain.next(.refuses)
        let refused = try await payments.resume()
        #expect(refused.map(\.status.stage) == [.unanswered, .held(since: 1_700_000_000)])
        guard case .delivery(.notSent(_, _, .refused, isRefused: true)) = refused[0].problem, refused[1].problem == nil
        else {
            Issue.record("\(refused.map(\.problem))")
            return
        }
        #expect(try await payments.resume().map(\.status.stage) == [.sent, .held(since: 1_700_000_000)])
        let id = try #require(chain.taken.first).id
        let plan = try await payments.planCancellation(of: id, fee: .test)
        let signed = try #require(try await flow.sign(try await flow.propose(plan)) { _ in true })
        let cancellation = try await payments.deliver(signed, of: plan)
        #expect(try await payments.resume().map(\.status.stage) == [.sent, .held(since: 1_700_000_000)])
        chain.mine()
        let cancelled = PaymentStatus.Stage.cancelled(by: "\(cancellation.transaction.id)", height: 201)
        #expect(try await payments.resume().map(\.status.stage) == [cancelled, .held(since: 1_700_000_000)])
        let told = try await hear(flow)
        #expect(told.map(\.stage) == [cancelled] && told[0].attempts.count == 2)
        #expect(try await flow.payments().map(\.stage) == [.held(since: 1_700_000_000)])
        // What is held has no result to be acknowledged.
        for payment in try await flow.payments() { await flow.acknowledge(payment) }
        #expect(try await flow.payments().count == 1)
        #expect(chain.payments(to: Bob.address) == 0)
        await flow.close()
    }

    @Test(
        "a payment on Ethereum that failed in its block is told until it is acknowledged, and is not handed over again")
    func reverted() async throws {
        let home = try await TestHome()
        let chain = ScriptedEVM()
        let flow = try await home.flow()
        let payments = EthereumPayments(flow, at: try await chain.node())
        _ = try #require(try await payments.pay(.test, fee: .test(.normal)) { _ in true })
        chain.mine(succeeds: false)
        for _ in 0..<2 {
            let resumed = try await payments.resume()
            guard case .delivery(.reverted(_, height: 11, _, _)) = resumed.first?.problem else {
                Issue.record("\(resumed)")
                return
            }
        }
        #expect(try await hear(flow).count == 1)
        #expect(try await payments.resume().allSatisfy { $0.problem == nil })
        #expect(try await flow.openPayments().chains.isEmpty)
        #expect(chain.taken.count == 1)
        await flow.close()
    }

    @Test("an Ethereum transaction that was signed without an order is sent only if the caller says so")
    func foreign() async throws {
        let home = try await TestHome()
        let chain = ScriptedEVM()
        let flow = try await home.flow()
        let payments = EthereumPayments(flow, at: try await chain.node())
        let plan = try #require(try await payments.plan(.other, fee: .test(.normal)).fresh)
        let proposal = try await flow.propose(.ethereumTransaction(plan.transaction, account: 0))
        let signed = try #require(try await flow.sign(proposal) { _ in true })
        try await flow.noteNumber(of: signed)
        #expect(try await flow.payments() == [])
        #expect(try await payments.resume() == [])
        #expect(chain.taken == [])
        await flow.close()
    }

    /// Where the program of a cancellation ended.
    enum Cancellation: CaseIterable {
        /// While it was signed.
        case reserved
        /// Before its nonce was recorded, and before it was sent.
        case signed
        /// Before it was sent.
        case recorded
        /// The node had it, and has forgotten it.
        case forgotten
        /// The node has refused it.
        case refused
    }

    @Test(
        "on Bitcoin, a payment that the node has forgotten is not sent again after its cancellation was signed",
        arguments: [Cancellation.reserved, .signed, .forgotten, .refused], [nil, "invoice-17"])
    func cancelledOnBitcoin(_ cut: Cancellation, _ key: String?) async throws {
        let home = try await TestHome()
        let chain = ScriptedChain()
        for index in 0..<3 { _ = try chain.fund(try home.script(UInt32(index)), 100_000) }
        let order = try Bob.order(30_000, key: key)
        let killed = try await home.flow()
        let payments = BitcoinPayments(killed, at: chain)
        let paid = try #require(try await payments.pay(order, fee: .test) { _ in true }).transaction
        let plan = try await payments.planCancellation(of: paid.id, fee: .test)
        if cut == .reserved {
            try await home.reserve(.bitcoinTransaction(plan.psbt), for: order.identity, in: killed)
        } else {
            let signed = try #require(try await killed.sign(try await killed.propose(plan)) { _ in true })
            if cut == .refused { chain.next(.refuses) }
            if cut != .signed { _ = await failure { _ = try await payments.deliver(signed, of: plan) } }
        }
        await killed.close()
        chain.forget()
        let before = chain.taken.count

        let flow = try await home.flow()
        let resumed = try await BitcoinPayments(flow, at: chain).resume()
        #expect(chain.payments(to: Bob.address) == 0 && resumed.count == 1)
        if cut == .reserved {
            #expect(
                resumed.first?.problem
                    == .duplicate(.cancellationUnclear(try key.map { try PaymentKey($0) }, by: nil)))
            #expect(chain.taken.count == before)
        } else {
            let cancellation = plan.psbt.unsignedTransaction.id
            #expect(resumed.first?.problem == nil && chain.taken.last?.id == cancellation)
            #expect(resumed.first?.status.cancellation?.id == "\(cancellation)")
            // The node has it: it is not sent again.
            #expect(try await BitcoinPayments(flow, at: chain).resume().first?.problem == nil)
            #expect(chain.taken.count == before + 1)
            chain.mine()
            let ended = try await BitcoinPayments(flow, at: chain).resume()
            #expect(ended.map(\.status.stage) == [.cancelled(by: "\(cancellation)", height: 201)])
        }
        chain.mine()
        #expect(chain.payments(to: Bob.address) == 0)
        await flow.close()
    }

    @Test(
        "on Ethereum, a payment that the node has forgotten is not sent again after its cancellation was signed",
        arguments: Cancellation.allCases, Case.all)
    func cancelledOnEthereum(_ cut: Cancellation, _ example: Case) async throws {
        let home = try await TestHome()
        let chain = ScriptedEVM()
        let node = try await chain.node()
        let key = try example.key.map { try PaymentKey($0) }
        let killed = try await home.flow()
        // No block comes here: the case says whether the node has answered.
        if !example.isMined { chain.next(.takesWithoutAnswer) }
        _ = await failure {
            _ = try await EthereumPayments(killed, at: node).pay(.test, key: key, fee: .test(.normal)) { _ in true }
        }
        chain.setBlind(false)
        let paid = try #require(chain.taken.first)
        let (payments, plan) = try await EthereumPayments.planReplacement(
            of: paid.hash, by: .cancellation, fee: .test(.normal), account: nil, killed, at: node)
        var cancellation: SignedEthereumTransaction?
        if cut == .reserved {
            let order = EthereumOrder.test.identity(key: key, on: ScriptedEVM.chain, account: 0)
            try await home.reserve(.ethereumTransaction(plan.transaction, account: 0), for: order, in: killed)
        } else {
            let signed = try #require(try await killed.sign(try await killed.propose(plan)) { _ in true })
            guard case .ethereumTransaction(let transaction) = signed.product else {
                Issue.record("\(signed.product)")
                return
            }
            cancellation = transaction
            switch cut {
            case .recorded:
                _ = try await killed.book.changeNonceLedger(on: ScriptedEVM.chain, of: transaction.sender) {
                    (ledger) throws(NonceLedger.Fault) in try ledger.record(transaction)
                }
            case .forgotten: _ = try await payments.deliver(signed, of: plan)
            case .refused:
                chain.next(.refuses)
                _ = await failure { _ = try await payments.deliver(signed, of: plan) }
            case .reserved, .signed: break
            }
        }
        await killed.close()
        chain.forget()
        let before = chain.taken.count

        let flow = try await home.flow()
        let resumed = try await EthereumPayments(flow, at: node).resume()
        #expect(resumed.count == 1)
        if cut == .reserved || cut == .refused {
            #expect(resumed.first?.problem == .duplicate(.cancellationUnclear(key, by: cancellation?.name)))
            #expect(chain.taken.count == before)
        } else {
            #expect(resumed.first?.problem == nil && chain.present == [cancellation])
            #expect(try await EthereumPayments(flow, at: node).resume().first?.problem == nil)
            #expect(chain.taken.count == before + 1)
            chain.mine()
            let ended = try await EthereumPayments(flow, at: node).resume()
            #expect(ended.map(\.status.stage) == [.cancelled(by: cancellation?.name ?? "", height: 11)])
        }
        await flow.close()
    }

    /// Pays an order whose transaction the node takes, without an answer.
    private func payWithoutAnswer(_ payments: EthereumPayments, _ chain: ScriptedEVM) async {
        chain.next(.takesWithoutAnswer)
        _ = await failure { _ = try await payments.pay(.test, fee: .test(.normal)) { _ in true } }
        chain.setBlind(false)
    }

    @Test("on Ethereum, another order does not send a cancelled payment: it sends the cancellation")
    func cancelledBeforeAnotherOrder() async throws {
        let home = try await TestHome()
        let chain = ScriptedEVM()
        let node = try await chain.node()
        let flow = try await home.flow()
        await payWithoutAnswer(EthereumPayments(flow, at: node), chain)
        let (_, plan) = try await EthereumPayments.planReplacement(
            of: try #require(chain.taken.first).hash, by: .cancellation, fee: .test(.normal), account: nil, flow,
            at: node)
        let signed = try #require(try await flow.sign(try await flow.propose(plan)) { _ in true })
        chain.forget()
        let other = try #require(
            try await EthereumPayments(flow, at: node).pay(.other, fee: .test(.normal)) { _ in true })
        guard case .ethereumTransaction(let cancellation) = signed.product else {
            Issue.record("\(signed.product)")
            return
        }
        #expect(Set(chain.present) == [cancellation, other.transaction])
        await flow.close()
    }

    @Test("all accounts on Ethereum are resumed; the payments of an account that is not asked about are listed")
    func accounts() async throws {
        let home = try await TestHome()
        let chain = ScriptedEVM()
        let node = try await chain.node()
        let flow = try await home.flow()
        await payWithoutAnswer(EthereumPayments(flow, at: node, account: 1), chain)
        chain.forget()
        let others = try await EthereumPayments.resumeAll(flow, at: node, account: 0)
        #expect(others.map(\.isAsked) == [false] && others.map(\.status.stage) == [.unanswered])
        #expect(chain.present == [])
        let resumed = try await EthereumPayments.resumeAll(flow, at: node)
        #expect(resumed.map(\.isAsked) == [true] && resumed.map(\.status.stage) == [.sent])
        #expect(resumed.first?.problem == nil && chain.present.count == 1)
        await flow.close()
    }

    @Test("the payment of an account that is not among the first ones is listed, and not asked about")
    func farAccount() async throws {
        let home = try await TestHome()
        let chain = ScriptedEVM()
        let node = try await chain.node()
        let flow = try await home.flow()
        let far = EthereumPayments(flow, at: node, account: WalletLimits.accounts)
        _ = try #require(try await far.pay(.test, fee: .test(.normal)) { _ in true })
        #expect(try await EthereumPayments.resumeAll(flow, at: node).map(\.isAsked) == [false])
        let named = try await EthereumPayments.resumeAll(flow, at: node, account: WalletLimits.accounts)
        #expect(named.map(\.isAsked) == [true])
        await flow.close()
    }

    @Test("a rehearsal and a closed flow resume nothing")
    func nothing() async throws {
        let home = try await TestHome()
        let chain = ScriptedChain()
        let rehearsal = try await home.flow(isRehearsal: true)
        #expect(await failure { _ = try await BitcoinPayments(rehearsal, at: chain).resume() } == .flow(.rehearsal))
        await rehearsal.close()
        let flow = try await home.flow()
        await flow.close()
        #expect(await failure { _ = try await BitcoinPayments(flow, at: chain).resume() } == .flow(.closed))
        #expect(await failure { _ = try await flow.payments() } == .flow(.closed))
    }

    @Test("a payment whose lock time has not come is shown as such, is sent later, and can be cancelled")
    func tooEarly() async throws {
        let home = try await TestHome()
        let chain = ScriptedChain()
        _ = try chain.fund(try home.script(), 100_000)
        let flow = try await home.flow()
        let payments = BitcoinPayments(flow, at: chain)
        chain.next(.isBehind, .isBehind)
        _ = await failure { _ = try await payments.pay(try Bob.order(30_000), fee: .test) { _ in true } }
        let early = try await payments.resume()
        #expect(early.map(\.isTooEarly) == [true] && early.map(\.hasOutcome) == [false])
        let id = try TransactionID(try #require(early.first?.status.attempts.first?.id))
        let plan = try await payments.planCancellation(of: id, fee: .test)
        let signed = try #require(try await flow.sign(try await flow.propose(plan)) { _ in true })
        _ = try await payments.deliver(signed, of: plan)
        chain.mine()
        let ended = try await payments.resume()
        #expect(ended.map(\.isTooEarly) == [false] && ended.map(\.hasOutcome) == [true])
        #expect(chain.payments(to: Bob.address) == 0)
        await flow.close()
    }

    @Test("a payment on Ethereum whose nonce another transaction has used is reported once, and not listed forever")
    func replacedOnEthereum() async throws {
        for isKnown in [true, false] {
            let home = try await TestHome()
            let chain = ScriptedEVM()
            let flow = try await home.flow()
            let payments = EthereumPayments(flow, at: try await chain.node())
            chain.next(.refuses)
            _ = await failure { _ = try await payments.pay(.test, fee: .test(.normal)) { _ in true } }
            let lost = try #require(try await flow.payments().first?.attempts.first?.id)
            if isKnown {
                let other = try #require(try await payments.pay(.other, fee: .test(.normal)) { _ in true })
                chain.mine()
                await flow.acknowledge(other)
            } else {
                chain.use(1)
            }
            let resumed = try await payments.resume().filter { $0.status.attempts.contains { $0.id == lost } }
            #expect(resumed.count == 1 && resumed.first?.hasOutcome == true)
            if isKnown {
                #expect(resumed.first?.status.stage == .replaced && resumed.first?.problem == nil)
            } else {
                #expect(resumed.first?.problem == .delivery(.replacedByUnknown(id: lost)))
            }
            for payment in resumed { await flow.acknowledge(payment.status) }
            #expect(try await flow.openPayments().chains.isEmpty)
            await flow.close()
        }
    }

    @Test(
        "a signed payment whose coins another wallet's transaction has spent is shown as such until the person gives it up",
        arguments: [nil, "invoice-17"])
    func spentElsewhere(_ key: String?) async throws {
        let home = try await TestHome()
        let chain = ScriptedChain()
        let coin = try chain.fund(try home.script(), 100_000)
        let flow = try await home.flow()
        let payments = BitcoinPayments(flow, at: chain)
        let order = try Bob.order(30_000, key: key)
        chain.next(.refuses, .refuses)
        _ = await failure { _ = try await payments.pay(order, fee: .test) { _ in true } }
        let lost = try #require(try await flow.payments().first?.attempts.first?.id)
        // While its coins are unspent, it can still be mined: nothing offers to give it up.
        let refused = try await payments.resume()
        #expect(refused.map(\.lostTransaction) == [nil] && refused.first?.problem != nil)

        let before = chain.saved
        chain.take(coin)
        for _ in 0..<2 {
            let resumed = try await payments.resume()
            #expect(resumed.map(\.problem) == [.delivery(.spentByUnknown(id: lost))])
            #expect(resumed.map(\.lostTransaction) == [lost] && resumed.map(\.hasOutcome) == [false])
        }
        _ = try chain.fund(try home.script(1), 100_000)
        let given = try #require(try await payments.resume().first)
        await flow.acknowledge(given.status)
        #expect(try await flow.openPayments().chains.isEmpty)
        // Giving up frees nothing: no other transaction pays the order without the person's consent.
        let declined = await failure { _ = try await payments.pay(order, fee: .test) { _ in false } }
        #expect(declined == (key == nil ? nil : .duplicate(.attemptUnclear(id: lost))))
        #expect(chain.payments(to: Bob.address) == 0)
        // If the node had lied, the order is answered with the transaction that was signed.
        chain.restore(before)
        let paid = try #require(try await payments.pay(order, fee: .test) { _ in false })
        #expect("\(paid.transaction.id)" == lost && chain.payments(to: Bob.address) == 1)
        await flow.close()
    }

    @Test("a result can be acknowledged once the node has it; what is only signed is resumed again, and never lost")
    func outcome() async throws {
        let home = try await TestHome()
        let chain = ScriptedChain()
        _ = try chain.fund(try home.script(), 100_000)
        chain.next(.away, .away)
        let flow = try await home.flow()
        await #expect(throws: PaymentError.self) {
            try await BitcoinPayments(flow, at: chain).pay(try Bob.order(30_000), fee: .test) { _ in true }
        }
        let open = try await flow.openPayments()
        #expect(open.chains == [.bitcoin] && open.payments(on: .bitcoin).map(\.isUnderway) == [true])
        #expect(try await flow.openPayments(on: .ethereum(.ethereum)).chains.isEmpty)
        #expect(!ResumedPayment(unasked: open.payments(on: .bitcoin)[0]).hasOutcome)
        // The node is still away.
        chain.next(.away, .away)
        let failed = try await BitcoinPayments(flow, at: chain).resume()
        #expect(failed.count == 1 && failed[0].problem != nil && !failed[0].hasOutcome)
        chain.next()
        let resumed = try await BitcoinPayments(flow, at: chain).resume()
        #expect(resumed.map(\.status.stage) == [.sent] && resumed[0].hasOutcome && chain.taken.count == 1)
        await flow.acknowledge(resumed[0].status)
        #expect(try await flow.unheard().isEmpty)
        #expect(try await flow.openPayments().chains.isEmpty)
        await flow.close()
    }
}

extension ScriptedChain {
    /// How many transactions pay to an address, in blocks and waiting.
    fileprivate func payments(to address: Address<Checked>) -> Int {
        present.count { $0.outputs.contains { $0.scriptPubKey == address.scriptPubKey } }
    }
}
