import Amounts
import Bitcoin
import Ceremonies
import Custody
import Ethereum
import HDKeys
import Payments
import SigningSession
import Testing
import Wallet
internal import WalletBooks

@testable import SigningSessionTestSupport

/// An order that the policy allows only later is given again when its time has come.
@Suite("An order that was held comes due", .timeLimit(.minutes(20)))
struct HeldOrderTests {
    private static let later: UInt64 = 1_700_003_600
    private static let rate = FeeRate(satoshisPerKilobyte: 7_000)

    /// A home in which each payment waits for an hour.
    private func home() async throws -> TestHome {
        let home = try await TestHome()
        try await home.policy(
            """
            {"version":1,"rules":[{"name":"all","if":{"effect":"payment"},"then":{"delay":"1h"}}]}
            """)
        return home
    }

    /// Everything, or an amount and everything else.
    private static func orders(key: PaymentKey?) throws -> [BitcoinOrder] {
        let other = try #require(
            Address<Checked>(ScriptPubKey(.p2wpkh(keyHash: [UInt8](repeating: 0xC0, count: 20))), on: .regtest))
        return [
            try BitcoinOrder(paying: [.init(Bob.address, .everythingLeft)], key: key, on: .regtest),
            try BitcoinOrder(
                paying: [.init(other, .exactly(Amount(satoshis: 20_000))), .init(Bob.address, .everythingLeft)],
                key: key, on: .regtest),
            try BitcoinOrder(
                paying: [
                    .init(other, .exactly(Amount(satoshis: 20_000))),
                    .init(Bob.address, .exactly(Amount(satoshis: 30_000))),
                ], key: key, on: .regtest),
        ]
    }

    @Test(
        "on Bitcoin, with everything that is left, with several payees, with a named feerate or without, the held payment is signed",
        arguments: [0, 1, 2], [nil, rate])
    func bitcoin(index: Int, rate: FeeRate?) async throws {
        let home = try await home()
        let chain = ScriptedChain()
        for index in 0..<2 { _ = try chain.fund(try home.script(UInt32(index)), 100_000) }
        let fee = BitcoinFee(rate: rate, ceiling: BitcoinFee.test.ceiling)
        let order = try Self.orders(key: index == 1 ? PaymentKey("invoice-17") : nil)[index]
        let flow = try await home.flow()
        let error = await failure { _ = try await BitcoinPayments(flow, at: chain).pay(order, fee: fee) { _ in true } }
        guard case .custody(.ceremony(.forbidden(let decision))) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(decision.verdict == .notBefore(Self.later))
        let held = try #require(await flow.book.proposals().first)
        // Given again too early, it is the same one, and waits no longer for that.
        _ = await failure { _ = try await BitcoinPayments(flow, at: chain).pay(order, fee: fee) { _ in true } }
        #expect(await flow.book.proposals().map(\.digest) == [held.digest])
        await flow.close()
        // A plan of now would be another one: of another height, and with another coin.
        chain.mine()
        _ = try chain.fund(try home.script(5), 70_000)
        let again = try await home.flow(now: Self.later)
        let paid = try #require(try await BitcoinPayments(again, at: chain).pay(order, fee: fee) { _ in true })
        #expect(paid.digest == held.digest && !paid.isEarlier && chain.taken.count == 1)
        #expect(await again.book.proposals().isEmpty)
        await again.close()
    }

    @Test(
        "on Bitcoin, another named feerate is another payment, and so is one above the ceiling",
        arguments: [true, false])
    func otherRate(isEverything: Bool) async throws {
        let home = try await home()
        let chain = ScriptedChain()
        for index in 0..<2 { _ = try chain.fund(try home.script(UInt32(index)), 100_000) }
        let order = try Self.orders(key: nil)[isEverything ? 0 : 2]
        let flow = try await home.flow()
        let payments = BitcoinPayments(flow, at: chain)
        func plan(_ rate: UInt64, ceiling: Amount = BitcoinFee.test.ceiling) async throws -> PlannedBitcoinPayment {
            let fee = BitcoinFee(rate: FeeRate(satoshisPerKilobyte: rate), ceiling: ceiling)
            return try #require(try await payments.plan(order, fee: fee).fresh)
        }
        let first = try await plan(7_000)
        try await flow.hold(try await flow.propose(first))
        for rate in [1_000, 2_500, 6_900, 7_100, 30_000] as [UInt64] { #expect(try await plan(rate).isNew) }
        let same = try await plan(7_000)
        #expect(!same.isNew && same.psbt == first.psbt)
        #expect(try await plan(7_000, ceiling: first.fee).psbt == first.psbt)
        await flow.close()
    }

    @Test(
        "on Ethereum, the held payment is signed, also where another priority is named then",
        arguments: [FeePriority.normal, .high])
    func ethereum(priority: FeePriority) async throws {
        let home = try await home()
        let chain = ScriptedEVM()
        let flow = try await home.flow()
        let first = EthereumPayments(flow, at: try await chain.node())
        let error = await failure { _ = try await first.pay(.test, fee: .test(.normal)) { _ in true } }
        guard case .custody(.ceremony(.forbidden(let decision))) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(decision.verdict == .notBefore(Self.later))
        let held = try #require(await flow.book.proposals().first)
        await flow.close()
        let again = try await home.flow(now: Self.later)
        let payments = EthereumPayments(again, at: try await chain.node())
        let paid = try #require(try await payments.pay(.test, fee: .test(priority)) { _ in true })
        #expect(paid.digest == held.digest && !paid.isEarlier && chain.taken.count == 1)
        await again.close()
    }
}
