import Bitcoin
import Custody
import Ethereum
import Nodes
import Payments
import SigningSession
import Testing
import Wallet

@testable import SigningSessionTestSupport

/// The program that paid was killed while it waited, and another one has replaced its transaction meanwhile.
@Suite("An order that is given again after its payment was replaced", .timeLimit(.minutes(20)))
struct ReplacedOrderTests {
    struct Case: CustomTestStringConvertible {
        let isCancelled: Bool
        let isMined: Bool
        let key: String?

        static let all = [false, true].flatMap { isCancelled in
            [true, false].flatMap { isMined in
                [nil, "invoice-17"].map { Case(isCancelled: isCancelled, isMined: isMined, key: $0) }
            }
        }
        var testDescription: String {
            "\(isCancelled ? "cancelled" : "sped up"), \(isMined ? "mined" : "waiting"), \(key ?? "without a key")"
        }
    }

    /// The answer to an order: what a person is asked about, and how it ends if nothing repeated is confirmed.
    private struct Answer<Delivered> {
        var isRepetition = false
        var delivered: Delivered?
        var error: PaymentError?

        init(_ pay: (@escaping (ProposedSigning) async -> Bool) async throws -> Delivered?) async {
            var isRepetition = false
            do {
                delivered = try await pay { proposal in
                    isRepetition = proposal.isRepeated
                    return !isRepetition
                }
            } catch { self.error = error as? PaymentError }
            self.isRepetition = isRepetition
        }
    }

    @Test(
        "on Bitcoin, the speed-up is reported, and a cancelled payment is never paid without a question",
        arguments: Case.all)
    func bitcoin(_ example: Case) async throws {
        let home = try await TestHome()
        let chain = ScriptedChain()
        for index in 0..<3 { _ = try chain.fund(try home.script(UInt32(index)), 100_000) }
        let order = try Bob.order(30_000, key: example.key)
        let killed = try await home.flow()
        let paid = try #require(try await BitcoinPayments(killed, at: chain).pay(order, fee: .test) { _ in true })
        await killed.close()
        let other = try await home.flow()
        let payments = BitcoinPayments(other, at: chain)
        let id = paid.transaction.id
        let plan =
            example.isCancelled
            ? try await payments.planCancellation(of: id, fee: .test)
            : try #require(
                try await payments.planSpeedUp(of: id, fee: BitcoinFee(.high, ceiling: BitcoinFee.test.ceiling)).fresh)
        let signed = try #require(try await other.sign(try await other.propose(plan)) { _ in true })
        let replacement = try await payments.deliver(signed, of: plan).transaction
        await other.close()
        if example.isMined { chain.mine() }

        let flow = try await home.flow()
        let answer = await Answer { try await BitcoinPayments(flow, at: chain).pay(order, fee: .test, confirm: $0) }
        let key = try example.key.map { try PaymentKey($0) }
        switch (example.isCancelled, key, example.isMined) {
        case (false, _, let isMined):
            #expect(answer.delivered?.transaction == replacement && answer.delivered?.isEarlier == true)
            #expect(answer.delivered?.height == (isMined ? 201 : nil) && !answer.isRepetition)
        case (true, nil, true): #expect(answer.isRepetition && answer.delivered == nil && answer.error == nil)
        case (true, nil, false):
            // It conflicts with the payment, or spends what the cancellation returns: only one of both can be mined.
            let again = try #require(answer.delivered)
            #expect(!again.isEarlier && !answer.isRepetition)
        case (true, .some(let key), true):
            #expect(answer.error == .duplicate(.cancelled(key, by: "\(replacement.id)")))
        case (true, .some(let key), false):
            #expect(answer.error == .duplicate(.cancellationUnclear(key, by: "\(replacement.id)")))
        }
        await flow.close()
        chain.mine()
        let isPaid = !example.isCancelled || key == nil && !example.isMined
        #expect(
            chain.present.count { $0.outputs.contains { $0.scriptPubKey == Bob.address.scriptPubKey } }
                == (isPaid ? 1 : 0))
    }

    @Test(
        "on Ethereum, the speed-up is reported, and a cancelled payment is never paid without a question",
        arguments: Case.all)
    func ethereum(_ example: Case) async throws {
        let home = try await TestHome()
        let chain = ScriptedEVM()
        let node = try await chain.node()
        let key = try example.key.map { try PaymentKey($0) }
        let killed = try await home.flow()
        let paid = try #require(
            try await EthereumPayments(killed, at: node).pay(.test, key: key, fee: .test(.normal)) { _ in true })
        await killed.close()
        let other = try await home.flow()
        let (payments, plan) = try await EthereumPayments.planReplacement(
            of: paid.transaction.hash, by: example.isCancelled ? .cancellation : .faster, fee: .test(.normal),
            account: nil, other, at: node)
        let signed = try #require(try await other.sign(try await other.propose(plan)) { _ in true })
        let replacement = try await payments.deliver(signed, of: plan).transaction
        await other.close()
        if example.isMined { chain.mine() }

        let flow = try await home.flow()
        let answer = await Answer {
            try await EthereumPayments(flow, at: node).pay(.test, key: key, fee: .test(.normal), confirm: $0)
        }
        switch (example.isCancelled, key, example.isMined) {
        case (false, _, let isMined):
            #expect(answer.delivered?.transaction == replacement && answer.delivered?.isEarlier == true)
            #expect((answer.delivered?.height != nil) == isMined && !answer.isRepetition)
        case (true, nil, _): #expect(answer.isRepetition && answer.delivered == nil && answer.error == nil)
        case (true, .some(let key), true):
            #expect(answer.error == .duplicate(.cancelled(key, by: replacement.name)))
        case (true, .some(let key), false):
            #expect(answer.error == .duplicate(.cancellationUnclear(key, by: replacement.name)))
        }
        await flow.close()
        chain.mine()
        #expect(chain.present == [replacement])
    }
}
