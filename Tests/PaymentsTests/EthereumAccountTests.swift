import Amounts
import Custody
import Ethereum
import Payments
import SigningSession
import Testing
import Wallet
internal import WalletBooks

@testable import SigningSessionTestSupport

/// What an account's earlier transactions, and the room of its book, mean for the next payment.
@Suite("An account's numbers on Ethereum", .timeLimit(.minutes(20)))
struct EthereumAccountTests {
    @Test("where the book has no room for another ledger of numbers, nothing is asked about, and nothing is signed")
    func fullOfLedgers() async throws {
        let home = try await TestHome()
        let chain = ScriptedEVM()
        let flow = try await home.flow()
        let account = try home.wallet.ethereumKey(at: 0).address
        for number in 0..<64 as Range<UInt64> {
            _ = try await flow.book.changeNonceLedger(on: try ChainID(1_000_000 + number), of: account) { _ in }
        }
        let full = PaymentError.custody(.book(.full(.nonces)))
        let payments = EthereumPayments(flow, at: try await chain.node())
        var isAsked = false
        let error = await failure {
            _ = try await payments.pay(.test, fee: .test(.normal)) { _ in
                isAsked = true
                return true
            }
        }
        #expect(error == full && !isAsked)
        #expect(await flow.book.history().isEmpty && chain.taken == [])
        await flow.close()
    }

    @Test(
        "an earlier signed and unsent transaction is sent first if the caller allows it; otherwise nothing is signed"
    )
    func mayResend() async throws {
        let home = try await TestHome()
        try await home.policy(
            """
            {"version":1,"rules":[\
            {"name":"small","if":{"effect":"payment","at_most":"0.06 ETH@ethereum:31337"},"then":"allow"},\
            {"name":"large","if":{"effect":"payment"},"then":{"delay":"1h"}}]}
            """)
        let chain = ScriptedEVM()
        let flow = try await home.flow()
        _ = await failure {
            let payments = EthereumPayments(flow, at: try await chain.node())
            _ = try await payments.pay(.test, fee: .test(.normal)) { _ in true }
        }
        await flow.close()
        let later = try await home.flow(now: 1_700_003_600)
        let payments = EthereumPayments(later, at: try await chain.node())
        let held = try #require(await later.book.proposals().first)
        let signed = try #require(try await later.sign(try await later.propose(held: held)) { _ in true })
        try await later.noteNumber(of: signed)
        let error = await failure { _ = try await payments.pay(.other, fee: .test(.normal)) { _ in true } }
        guard case .nonce(.unsent(let unsent)) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(unsent.nonce == 0 && chain.taken == [])
        let paid = try #require(
            try await payments.pay(.other, fee: .test(.normal), mayResend: true) { _ in true })
        #expect(chain.taken.map(\.name) == [unsent.id, paid.transaction.name])
        #expect(chain.taken.map { $0.transaction.nonce } == [0, 1])
        await later.close()
    }
}
