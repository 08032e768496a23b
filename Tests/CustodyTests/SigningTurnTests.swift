import Secrets
import Testing
import Threshold
import Wallet

@testable import Custody

/// Messages out of turn, of other sessions, and from others than the coordinator.
@Suite("Signing: out of turn")
struct SigningTurnTests {
    /// A session after round 1, and the honest request.
    private func committed() async throws -> (SigningSession, request: [UInt8]) {
        let session = try SigningSession()
        let commitments = try await session.bothCommitments()
        return (session, session.request([try session.package(0, commitments[0])]))
    }

    private func answer(of session: SigningSession, to message: [UInt8]) async -> CustodyError? {
        await failure { () async throws(CustodyError) in try await session.first.answer(message) }
    }

    @Test("control: the request is answered")
    func control() async throws {
        let (session, request) = try await committed()
        #expect(await answer(of: session, to: request) == nil)
    }

    @Test("a second proposal after the first is stale, and so is the request then")
    func proposedTwice() async throws {
        let (session, request) = try await committed()
        #expect(await answer(of: session, to: session.proposal()) == .staleMessage)
        #expect(await answer(of: session, to: request) == .staleMessage)
    }

    @Test("a request before a proposal is stale, and so is the proposal then")
    func requestFirst() async throws {
        let session = try SigningSession()
        let (_, request) = try await committed()
        #expect(await answer(of: session, to: request) == .staleMessage)
        #expect(await answer(of: session, to: session.proposal()) == .staleMessage)
    }

    @Test("a request of another session is stale, and ends this one")
    func otherSession() async throws {
        var (session, request) = try await committed()
        let honest = request
        session.session = SessionID(from: SystemRandom())
        let message = try CeremonyMessage(decoding: request)
        request = session.message(.signingPackages, message.payload)
        #expect(await answer(of: session, to: request) == .staleMessage)
        #expect(await answer(of: session, to: honest) == .staleMessage)
    }

    @Test("a message in another holder's name is stale")
    func otherSender() async throws {
        let (session, request) = try await committed()
        #expect(await answer(of: session, to: request.flipping(4, by: 2)) == .staleMessage)
        let fresh = try SigningSession()
        #expect(await answer(of: fresh, to: fresh.proposal().flipping(4, by: 2)) == .staleMessage)
    }

    @Test("bytes that are no message end the session")
    func noise() async throws {
        let (session, request) = try await committed()
        #expect(await answer(of: session, to: Array(request.dropLast())) == .malformedMessage)
        #expect(await answer(of: session, to: request) == .staleMessage)
        let fresh = try SigningSession()
        #expect(await answer(of: fresh, to: []) == .malformedMessage)
        #expect(await answer(of: fresh, to: fresh.proposal()) == .staleMessage)
    }

    @Test("a holder does not take part in a key generation, nor a holder-to-be in signing")
    func otherProtocol() async throws {
        let session = try SigningSession()
        #expect(await answer(of: session, to: session.message(.invitation, [])) == .staleMessage)
        let newcomer = try Newcomers(2, of: 2).holders[0]
        let proposal = session.proposal()
        #expect(await failure { () async throws(CustodyError) in try await newcomer.answer(proposal) } == .staleMessage)
    }

    @Test("a holder that was used once does not sign again")
    func usedHolder() async throws {
        let session = try SigningSession()
        _ = try await session.spend.sign(with: [session.first, session.second], random: SystemRandom())
        let failure = await failure { () async throws(CustodyError) in
            try await session.spend.sign(with: [session.first, session.second], random: SystemRandom())
        }
        #expect(failure == .staleMessage)
    }
}
