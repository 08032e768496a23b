import Ceremonies
import Custody
import Ethereum
import Secrets
import SigningSession
import Synchronization
import Testing
import Wallet
import WalletBooks

@testable import CeremoniesTestSupport
@testable import SigningSessionTestSupport

/// Shares that are held elsewhere, each with its own authorizer and with a ledger that is no file.
@Suite("A share that is held elsewhere", .timeLimit(.minutes(20)))
struct ParticipantSourceTests {
    private static let message = "hello"

    private func payload() throws -> SigningPayload {
        .personalMessage(try PersonalMessage(Self.message), account: 0)
    }

    private func sign(_ payload: SigningPayload, in flow: SigningFlow) async throws -> SignedProposal? {
        try await flow.sign(try await flow.propose(payload)) { _ in true }
    }

    @Test("it signs together with a share file, and both authorizers are asked")
    func together() async throws {
        let home = try await TestHome()
        let held = HeldShare(.recovery, of: home)
        let events = Mutex<[SigningEvent]>([])
        let flow = try await home.flow(shares: [.device], sources: [held]) { event in
            events.withLock { $0.append(event) }
        }
        #expect(flow.shares == [.device, .recovery])
        let signed = try #require(try await sign(try payload(), in: flow))
        guard case .ethereumMessage = signed.product else {
            Issue.record("it is something else")
            return
        }
        #expect(
            events.withLock(\.self) == [
                .openingShare(.device), .signing([.device, .recovery]),
            ])
        #expect(held.admitted == [signed.digest] && held.sent == [signed.digest])
        #expect(held.ledger.entries == [.began, .charged, .refunded])
        #expect(await flow.book.history().map(\.state) == [.signed])
        // The same source signs the next payload.
        var hasher = FileDigest.Hasher()
        hasher.update("hello".utf8)
        _ = try #require(try await sign(try home.wallet.signing(hasher.finalize(), comment: "file:a"), in: flow))
        #expect(held.admitted.count == 2)
        await flow.close()
    }

    @Test("the holder's own policy refuses: nothing is signed, and the wallet's book counts nothing")
    func refused() async throws {
        let home = try await TestHome()
        let held = HeldShare(.recovery, of: home, refuses: true)
        let flow = try await home.flow(shares: [.device], sources: [held])
        let error = await failure { _ = try await sign(try payload(), in: flow) }
        guard case .custody(.ceremony(.forbidden)) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(held.sent == [])
        #expect(await flow.book.history().map(\.state) == [.failed])
        await flow.close()
    }

    @Test("shares that are no threshold of the wallet's are refused before a person is asked, and nothing counts")
    func noThreshold() async throws {
        let home = try await TestHome()
        let cases: [([ShareLocation], [ShareLocation], CustodyError)] = [
            ([.device], [], .ceremony(.wrongNumberOfShares(needed: 2, given: 1))),
            ([.device], [.device], .ceremony(.wrongNumberOfShares(needed: 2, given: 1))),
            ([], [.backup, .backup], .ceremony(.wrongNumberOfShares(needed: 2, given: 1))),
            ([.device, .backup], [.recovery], .ceremony(.wrongNumberOfShares(needed: 2, given: 3))),
            ([], [.backup, .further(index: 9)], .noSuchShare(name: "share-9")),
        ]
        for (files, held, expected) in cases {
            let flow = try await home.flow(shares: files, sources: held.map { HeldShare($0, of: home) })
            let proposal = try await flow.propose(try payload())
            var isAsked = false
            let error = await failure {
                _ = try await flow.sign(proposal) { _ in
                    isAsked = true
                    return true
                }
            }
            #expect(error == .custody(expected) && !isAsked)
            let confirmed = try proposal.confirmed(proposal.intent.digest, accepting: [])
            #expect(await failure { _ = try await flow.sign(confirmed) } == .custody(expected))
            #expect(await flow.book.history() == [])
            await flow.close()
        }
    }

    @Test("a holder that answers for another share than its own is refused")
    func otherIndex() async throws {
        let home = try await TestHome()
        let held = HeldShare(.recovery, of: home, answersFor: .backup)
        let flow = try await home.flow(shares: [.device], sources: [held])
        let error = await failure { _ = try await sign(try payload(), in: flow) }
        #expect(error == .custody(.ceremony(.noSuchShare(index: 2))))
        #expect(held.admitted == [])
        await flow.close()
    }

    @Test("without a share file the book admits the payload itself, by its policy, and it counts")
    func onlyElsewhere() async throws {
        let home = try await TestHome()
        let sources = [HeldShare(.backup, of: home), HeldShare(.recovery, of: home)]
        let flow = try await home.flow(shares: [], sources: sources)
        _ = try #require(try await sign(try payload(), in: flow))
        #expect(await flow.book.history().map(\.state) == [.signed])
        let proposal = try await flow.propose(try payload())
        let confirmed = try proposal.confirmed(proposal.intent.digest, accepting: [])
        // The policy changes after the question: the book decides at the end.
        await flow.close()
        try await home.policy(#"{"version":1,"rules":[{"name":"all","then":"deny"}]}"#)
        let other = try await home.flow(shares: [], sources: sources)
        let asked = sources.map(\.admitted.count)
        let error = await failure { _ = try await other.sign(confirmed) }
        guard case .custody(.ceremony(.forbidden)) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(sources.map(\.admitted.count) == asked)
        await other.close()
    }
}
