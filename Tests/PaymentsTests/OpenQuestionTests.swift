import Amounts
import Bitcoin
import Custody
import Payments
import SigningSession
import Synchronization
import Testing
internal import Wallet
internal import WalletBooks

@testable import SigningSessionTestSupport

/// A question to a person, which may be open for a day, while other programs go on.
@Suite("While a question is open", .timeLimit(.minutes(20)))
struct OpenQuestionTests {
    private final class WallClock: Sendable {
        private let time = Mutex<UInt64>(1_700_000_000)

        var now: UInt64 { time.withLock { $0 } }

        func advance(_ seconds: UInt64) { time.withLock { $0 += seconds } }
    }

    @Test("a payment confirmed after a long time is signed, and counts from the confirmation")
    func longQuestion() async throws {
        let home = try await TestHome()
        let chain = ScriptedChain()
        _ = try chain.fund(try home.script(), 100_000)
        let wall = WallClock()
        let flow = try await home.flow(at: { wall.now })
        let plan = try #require(
            try await BitcoinPayments(flow, at: chain).plan(try Bob.order(30_000), fee: .test).fresh)
        let proposal = try await flow.propose(plan)
        let signed = try await flow.sign(proposal) { _ in
            wall.advance(86_400)
            return true
        }
        #expect(signed != nil)
        let history = await flow.book.history()
        #expect(history.map(\.state) == [.signed])
        #expect(history.map(\.time) == [1_700_086_400])
        await flow.close()
    }

    @Test("a payment mined while another program has the book open is recorded when that program is done")
    func bookInUse() async throws {
        let home = try await TestHome()
        let chain = ScriptedChain()
        _ = try chain.fund(try home.script(), 100_000)
        let clock = HookedClock(limit: 100)
        let flow = try await home.flow(clock: clock)
        // The other program opens the book and asks; the block comes; and the person answers after three seconds.
        clock.atFirstPause {
            let other = try await home.flow()
            chain.mine()
            Self.close(other, after: 12, by: clock)
        }
        let paid = try #require(
            try await BitcoinPayments(flow, at: chain).pay(try Bob.order(30_000), fee: .test, untilMined: true) { _ in
                true
            })
        #expect(clock.failure == nil && clock.elapsed >= .seconds(3))
        #expect(paid.height == 201 && paid.warnings == [])
        await flow.acknowledge(paid)
        let other = try await home.flow()
        #expect(await other.book.history().map(\.state) == [.mined(height: 201)])
        await other.close()
        await flow.close()
    }

    /// Closes a flow in the pause that follows so many others.
    private static func close(_ flow: SigningFlow, after pauses: Int, by clock: HookedClock) {
        clock.atFirstPause {
            if pauses > 0 { close(flow, after: pauses - 1, by: clock) } else { await flow.close() }
        }
    }
}
