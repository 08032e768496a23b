import Bitcoin
import Custody
import Ethereum
import HDKeys
import Payments
import SigningSession
import Testing
import Wallet
internal import WalletBooks

@testable import SigningSessionTestSupport

@Suite("Chains with news", .timeLimit(.minutes(20)))
struct OpenChainsTests {
    @Test("each chain of a payment whose outcome is not final is named once, in the order of the payments")
    func chains() async throws {
        let home = try await TestHome()
        let (evm, bitcoin) = (ScriptedEVM(), ScriptedChain())
        let flow = try await home.flow()
        #expect(await flow.book.openChains(of: .regtest) == [])
        let ethereum = EthereumPayments(flow, at: try await evm.node())
        for order in [EthereumOrder.test, .other] {
            _ = try #require(try await ethereum.pay(order, fee: .test(.normal)) { _ in true })
        }
        #expect(await flow.book.openChains(of: .regtest) == [.ethereum(ScriptedEVM.chain)])
        _ = try bitcoin.fund(try home.script(), 100_000)
        let payments = BitcoinPayments(flow, at: bitcoin)
        let paid = try #require(try await payments.pay(try Bob.order(30_000), fee: .test) { _ in true })
        #expect(await flow.book.openChains(of: .regtest) == [.ethereum(ScriptedEVM.chain), .bitcoin])
        // A wallet of another network cannot have asked for it.
        #expect(await flow.book.openChains(of: .mainnet) == [.ethereum(ScriptedEVM.chain)])
        // A block may be undone; only what is settled has no news.
        let digest = try #require(paid.digest)
        try await flow.book.note(.mined(height: 201), of: digest)
        #expect(await flow.book.openChains(of: .regtest).last == .bitcoin)
        try await flow.book.note(.settled(height: 201), of: digest)
        #expect(await flow.book.openChains(of: .regtest) == [.ethereum(ScriptedEVM.chain)])
        await flow.close()
    }

    @Test("what was reserved and never signed has no news, and neither has a proposal")
    func unsigned() async throws {
        let home = try await TestHome()
        let chain = ScriptedChain()
        _ = try chain.fund(try home.script(), 100_000)
        let flow = try await home.flow()
        let order = try Bob.order(10_000)
        let plan = try #require(try await BitcoinPayments(flow, at: chain).plan(order, fee: .test).fresh)
        try await home.reserve(.bitcoinTransaction(plan.psbt), for: order.identity, in: flow)
        #expect(await flow.book.history().map(\.state) == [.reserved])
        #expect(await flow.book.openChains(of: .regtest) == [])
        await flow.close()
    }
}
