import Amounts
import Custody
import Ethereum
import Nodes
import Payments
import SigningSession
import TestSupport
import Testing
import Wallet
internal import WalletBooks

@testable import SigningSessionTestSupport

/// Payments on Ethereum through the library, on a chain and a clock that the test scripts.
@Suite("Payments on Ethereum", .timeLimit(.minutes(20)))
struct EthereumPaymentTests {
    private let fee: EthereumFee
    private let bob: EthereumAddress
    private let order: EthereumOrder

    init() throws {
        fee = EthereumFee(ceiling: try Wei("0.01eth"))
        bob = try EthereumAddress(bytes: [UInt8](repeating: 0xB0, count: 20))
        order = EthereumOrder(paying: try Wei("0.1eth").value, to: bob)
    }

    private func pay(
        _ flow: SigningFlow, _ chain: ScriptedEVM, key: String? = nil, untilMined isAwaited: Bool = false,
        report: @escaping PaymentListener = { _ in }
    ) async throws -> DeliveredEthereumPayment? {
        try await EthereumPayments(flow, at: try await chain.node(), report: report).pay(
            order, key: try key.map { try PaymentKey($0) }, fee: fee, untilMined: isAwaited
        ) { _ in true }
    }

    @Test("a payment is planned, shown, signed and sent, and uses the account's first nonce")
    func whole() async throws {
        let home = try await TestHome()
        let chain = ScriptedEVM()
        let flow = try await home.flow()
        let paid = try #require(try await pay(flow, chain))
        #expect(chain.taken == [paid.transaction])
        #expect(paid.transaction.transaction.nonce == 0 && paid.transaction.transaction.to == bob)
        #expect(paid.height == nil && !paid.isEarlier && paid.warnings == [])
        #expect(await flow.book.history().map(\.state) == [.sent])
        await flow.acknowledge(paid)
        let next = try await EthereumPayments(flow, at: try await chain.node()).plan(order, fee: fee)
        guard case .fresh(let plan) = next else {
            Issue.record("planned as an earlier one")
            return
        }
        #expect(plan.transaction.nonce == 1)
        #expect(plan.findings == [.repeated(.underway, id: paid.transaction.name)])
        await flow.book.close()
    }

    @Test("lost answer: the same order, in another process, sends the same bytes, and pays once")
    func lostAnswer() async throws {
        let home = try await TestHome()
        let chain = ScriptedEVM()
        chain.next(.takesWithoutAnswer)
        let first = try await home.flow()
        let error = await failure { _ = try await pay(first, chain) }
        let sent = try #require(chain.taken.first)
        guard case .delivery(.notSent(sent.name, .ethereum(ScriptedEVM.chain), _, isRefused: false)) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        await first.book.close()
        let hearing = Hearing()
        let second = try await home.flow()
        let paid = try #require(try await pay(second, chain, report: hearing.listener))
        #expect(paid.isEarlier && paid.transaction == sent)
        #expect(chain.taken == [sent, sent])
        #expect(hearing.events.contains(.payment(.madeBefore(hasKey: false))))
        await second.book.close()
    }

    @Test("a refused transaction leaves its nonce to the next one, so that at most one is mined")
    func refused() async throws {
        let home = try await TestHome()
        let chain = ScriptedEVM()
        chain.next(.refuses)
        let flow = try await home.flow()
        let error = await failure { _ = try await pay(flow, chain) }
        guard case .delivery(.notSent(let id, _, .refused, isRefused: true)) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        let hearing = Hearing()
        await flow.book.close()
        let again = try await home.flow()
        let paid = try #require(try await pay(again, chain, report: hearing.listener))
        #expect(paid.transaction.transaction.nonce == 0)
        #expect(hearing.events.contains(.payment(.takesNumberOfRefused(0, id: id))) || paid.transaction.name == id)
        await again.book.close()
    }

    @Test("a payment key pays once, even after its payment is mined and acknowledged")
    func key() async throws {
        let home = try await TestHome()
        let chain = ScriptedEVM()
        let flow = try await home.flow()
        let paid = try #require(try await pay(flow, chain, key: "invoice-17"))
        await flow.acknowledge(paid)
        chain.mine()
        let again = try #require(try await pay(flow, chain, key: "invoice-17"))
        #expect(again.isEarlier && again.transaction == paid.transaction && again.height == 11)
        #expect(chain.taken.count == 1)
        await flow.book.close()
    }

    @Test("with waiting, a payment is polled until it is mined; the book is free meanwhile")
    func awaited() async throws {
        let home = try await TestHome()
        let chain = ScriptedEVM()
        chain.mine(atLook: 4)
        let clock = HastyClock()
        let flow = try await home.flow(clock: clock)
        let paid = try #require(try await pay(flow, chain, untilMined: true))
        #expect(paid.height == 11 && paid.fee != nil)
        #expect(clock.pauses.count >= 1 && clock.pauses.allSatisfy { $0 == .seconds(1) })
        let other = try await home.flow()
        #expect(await other.book.history().map(\.state) == [.mined(height: 11)])
        await other.book.close()
    }

    @Test("a payment that fails in its block throws once; then the same order is another payment, and asks a question")
    func reverted() async throws {
        let home = try await TestHome()
        let chain = ScriptedEVM()
        chain.next(.takesWithoutAnswer)
        let flow = try await home.flow()
        _ = await failure { _ = try await pay(flow, chain) }
        await flow.book.close()
        chain.setBlind(false)
        chain.mine(succeeds: false)
        let again = try await home.flow()
        let error = await failure { _ = try await pay(again, chain) }
        guard case .delivery(.reverted(_, height: 11, _, _)) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        guard
            case .fresh(let plan) = try await EthereumPayments(again, at: try await chain.node()).plan(order, fee: fee)
        else {
            Issue.record("planned as an earlier one")
            return
        }
        #expect(plan.findings.contains(.repeated(.reverted(height: 11), id: chain.taken[0].name)))
        await again.book.close()
    }

    @Test("a speed-up has the same nonce and a higher fee; a cancellation makes no payment")
    func replacement() async throws {
        let home = try await TestHome()
        let chain = ScriptedEVM()
        let flow = try await home.flow()
        let paid = try #require(try await pay(flow, chain))
        for replacement in [EthereumPayments.Replacement.faster, .cancellation] {
            let newest = try #require(chain.taken.last)
            let (payments, plan) = try await EthereumPayments.planReplacement(
                of: newest.hash, by: replacement, fee: fee, account: nil, flow, at: try await chain.node())
            #expect(plan.transaction.nonce == paid.transaction.transaction.nonce)
            #expect(plan.transaction.maxFeePerGas > newest.transaction.maxFeePerGas)
            let signed = try #require(try await flow.sign(try await flow.propose(plan)) { _ in true })
            _ = try await payments.deliver(signed, of: plan)
        }
        #expect(chain.taken.map { $0.transaction.value.isZero } == [false, false, true])
        await flow.book.close()
    }

    @Test("a nonce has eight transactions at most: a ninth is refused before it is planned, and nothing is signed")
    func ninth() async throws {
        let home = try await TestHome()
        let chain = ScriptedEVM()
        let node = try await chain.node()
        let flow = try await home.flow()
        _ = try #require(try await pay(flow, chain))
        for _ in 1..<EthereumLimits.replacements {
            let newest = try #require(chain.taken.last)
            let (payments, plan) = try await EthereumPayments.planReplacement(
                of: newest.hash, by: .faster, fee: fee, account: nil, flow, at: node)
            let signed = try #require(try await flow.sign(try await flow.propose(plan)) { _ in true })
            _ = try await payments.deliver(signed, of: plan)
        }
        #expect(Set(chain.taken.map(\.hash)).count == 8 && Set(chain.taken.map(\.transaction.nonce)) == [0])
        let history = await flow.book.history()
        let newest = try #require(chain.taken.last)
        for replacement in [EthereumPayments.Replacement.faster, .cancellation] {
            let error = await failure {
                _ = try await EthereumPayments.planReplacement(
                    of: newest.hash, by: replacement, fee: fee, account: nil, flow, at: node)
            }
            #expect(error == .ledger(.full(limit: 8)))
        }
        #expect(await flow.book.history() == history && chain.taken.count == 8)
        await flow.book.close()
    }

    @Test("a balance includes the accounts that were used")
    func balance() async throws {
        let home = try await TestHome()
        let chain = ScriptedEVM()
        let ether = try Wei("1eth")
        let balance = try await EthereumBalance(of: home.wallet, account: 0, on: try await chain.node())
        #expect(balance.accounts.map(\.account) == [0] && balance.total == ether && balance.totalTokens == nil)
    }
}

extension Wei {
    fileprivate var isZero: Bool { self == .zero }
}
