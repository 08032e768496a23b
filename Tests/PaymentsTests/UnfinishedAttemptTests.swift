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

/// Programs ended while they signed: whether there is a signature, nobody knows. Two of the attempts must never be mined.
@Suite("Attempts that may have been signed", .timeLimit(.minutes(20)))
struct UnfinishedAttemptTests {
    private let home: TestHome
    private let chain = ScriptedChain()
    /// In the order in which plans look at them.
    private let coins: [OutPoint]

    init() async throws {
        home = try await TestHome()
        var coins: [OutPoint] = []
        for index in 0..<3 { coins.append(try chain.fund(try home.script(UInt32(index)), 100_000)) }
        _ = try chain.fund(try home.script(3), 1_000_000)
        self.coins = coins.sorted { $0.description < $1.description }
    }

    /// Has the book admit an attempt that spends these coins, as a program that is killed while it signs.
    private func crash(_ order: BitcoinOrder, spending coins: [OutPoint], _ flow: SigningFlow) async throws {
        let plan = try #require(
            try await BitcoinPayments(flow, at: chain).plan(
                order, fee: .test, coins: CoinControl(only: coins), isFurther: true
            ).fresh)
        #expect(Set(plan.psbt.unsignedTransaction.inputs.map(\.previousOutput)) == Set(coins))
        try await home.reserve(.bitcoinTransaction(plan.psbt), for: order.identity, in: flow)
    }

    /// What the order, given again, spends.
    private func spent(
        _ order: BitcoinOrder, _ flow: SigningFlow, _ control: CoinControl = CoinControl(), isFurther: Bool = false
    ) async throws -> Set<OutPoint> {
        let plan = try #require(
            try await BitcoinPayments(flow, at: chain).plan(order, fee: .test, coins: control, isFurther: isFurther)
                .fresh)
        return Set(plan.psbt.unsignedTransaction.inputs.map(\.previousOutput))
    }

    @Test(
        "behind two of them, a third attempt spends the one coin that both spend, and no two can be mined",
        arguments: [nil, "invoice-17"])
    func third(key: String?) async throws {
        let flow = try await home.flow()
        for satoshis in stride(from: 120_000, through: 150_000, by: 5_000) as StrideThrough<UInt64> {
            let order = try Bob.order(satoshis, key: key.map { "\($0)-\(satoshis)" })
            try await crash(order, spending: [coins[0], coins[1]], flow)
            try await crash(order, spending: [coins[1], coins[2]], flow)
            let third = try await spent(order, flow)
            #expect(third.contains(coins[1]) && third.count <= 2)
        }
        await flow.close()
    }

    @Test("behind two that have no coin in common, a third attempt spends a coin of each")
    func disjoint() async throws {
        let flow = try await home.flow()
        let order = try Bob.order(30_000)
        try await crash(order, spending: [coins[0]], flow)
        try await crash(order, spending: [coins[2]], flow)
        #expect(try await spent(order, flow).isSuperset(of: [coins[0], coins[2]]))
        await flow.close()
    }

    @Test("where no coin of an attempt may be spent, the error names its coins, and nothing is signed")
    func noCoinLeft() async throws {
        let flow = try await home.flow()
        let order = try Bob.order(30_000)
        try await crash(order, spending: [coins[0]], flow)
        let unfinished = PaymentError.duplicate(.unfinished(spending: [coins[0]]))
        try await flow.book.freeze([coins[0]])
        #expect(await failure { _ = try await spent(order, flow) } == unfinished)
        try await flow.book.unfreeze([coins[0]])
        #expect(await failure { _ = try await spent(order, flow, CoinControl(only: [coins[1]])) } == unfinished)
        #expect(try await spent(order, flow, CoinControl(only: [coins[0], coins[1]])) == [coins[0], coins[1]])
        #expect(await failure { _ = try await spent(order, flow, CoinControl(leastConfirmations: 11)) } == unfinished)
        // A block has spent it: by this attempt, or by another program's transaction.
        chain.take(coins[0])
        #expect(await failure { _ = try await spent(order, flow) } == unfinished)
        // The person's word for another payment is enough.
        #expect(try await !spent(order, flow, isFurther: true).contains(coins[0]))
        await flow.close()
    }

    @Test("where another payment has spent its coin, the attempt waits for that one, and is over when a block has it")
    func rivalled() async throws {
        let flow = try await home.flow()
        let payments = BitcoinPayments(flow, at: chain)
        let order = try Bob.order(30_000, key: "invoice-17")
        try await crash(order, spending: [coins[0]], flow)
        let other = try #require(
            try await payments.plan(try Bob.order(20_000), fee: .test, coins: CoinControl(only: [coins[0]])).fresh)
        let signed = try #require(try await flow.sign(try await flow.propose(other)) { _ in true })
        let rival = try await payments.deliver(signed, of: other)
        // The new attempt spends the change of the other one: it cannot be mined without that one, nor the earlier attempt with it.
        #expect(try await spent(order, flow).contains { $0.transaction == rival.transaction.id })
        chain.mine()
        #expect(try await !spent(order, flow).contains { $0.transaction == coins[0].transaction })
        await flow.close()
    }

    @Test("a held payment that could be mined beside such an attempt is not taken")
    func held() async throws {
        let flow = try await home.flow()
        let payments = BitcoinPayments(flow, at: chain)
        let order = try Bob.order(30_000)
        let held = try #require(
            try await payments.plan(order, fee: .test, coins: CoinControl(only: [coins[2]])).fresh)
        try await flow.hold(try await flow.propose(held))
        #expect(try await spent(order, flow) == [coins[2]])
        try await crash(order, spending: [coins[0]], flow)
        #expect(try await spent(order, flow).contains(coins[0]))
        await flow.close()
    }

    @Test(
        "on Ethereum, each attempt has the number of the first one, and none is signed while that is another transaction's"
    )
    func ethereum() async throws {
        let evm = ScriptedEVM()
        let flow = try await home.flow()
        let payments = EthereumPayments(flow, at: try await evm.node())
        let identity = EthereumOrder.test.identity(key: nil, on: ScriptedEVM.chain, account: 0)
        for priority in [FeePriority.low, .normal] {
            let plan = try #require(try await payments.plan(.test, fee: .test(priority)).fresh)
            #expect(plan.transaction.nonce == 0)
            try await home.reserve(.ethereumTransaction(plan.transaction, account: 0), for: identity, in: flow)
        }
        #expect(try await payments.plan(.test, fee: .test(.high)).fresh?.transaction.nonce == 0)
        let other = try #require(try await payments.pay(.other, fee: .test(.normal)) { _ in true })
        #expect(other.transaction.transaction.nonce == 0)
        #expect(
            await failure { _ = try await payments.plan(.test, fee: .test(.high)) }
                == .duplicate(.rivalsWait([other.transaction.name])))
        evm.mine()
        #expect(try await payments.plan(.test, fee: .test(.high)).fresh?.transaction.nonce == 1)
        await flow.close()
    }

    @Test(
        "on Ethereum, a number that a block has used by an unknown transaction may be the attempt's: nothing is signed")
    func usedElsewhere() async throws {
        let evm = ScriptedEVM()
        let flow = try await home.flow()
        let payments = EthereumPayments(flow, at: try await evm.node())
        let identity = EthereumOrder.test.identity(key: nil, on: ScriptedEVM.chain, account: 0)
        let plan = try #require(try await payments.plan(.test, fee: .test(.normal)).fresh)
        try await home.reserve(.ethereumTransaction(plan.transaction, account: 0), for: identity, in: flow)
        evm.use(1)
        #expect(
            await failure { _ = try await payments.plan(.test, fee: .test(.normal)) } == .duplicate(.unfinishedNonce(0))
        )
        #expect(try await payments.plan(.test, fee: .test(.normal), isFurther: true).fresh?.transaction.nonce == 1)
        await flow.close()
    }
}
