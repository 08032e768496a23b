import Secrets
import Testing
import Threshold
import Wallet

@testable import Ceremonies
@testable import CeremoniesTestSupport

/// Messages out of order, of other sessions, and under other participants' names.
@Suite("Signing: messages out of order")
struct ParticipantStateTests {
    /// A session after round 1, and the honest request.
    private func committed() async throws -> (SigningSession, request: [UInt8]) {
        let session = try SigningSession()
        let commitments = try await session.bothCommitments()
        return (session, session.request([try session.package(0, commitments[0])]))
    }

    private func answer(of session: SigningSession, to message: [UInt8]) async -> CeremonyError? {
        await failure { () async throws(CeremonyError) in try await session.first.answer(message) }
    }

    @Test("control: the request is answered")
    func control() async throws {
        let (session, request) = try await committed()
        #expect(await answer(of: session, to: request) == nil)
    }

    @Test("a second proposal is answered as before if it equals the first, and otherwise is stale")
    func proposedTwice() async throws {
        var session = try SigningSession()
        let proposal = session.proposal()
        let answer = try await session.first.answer(proposal)
        #expect(try await session.first.answer(proposal) == answer)
        #expect(await self.answer(of: session, to: session.proposal(signers: [1, 3])) == .staleMessage)
        session.session = CeremonyID(from: SystemRandom())
        #expect(await self.answer(of: session, to: session.proposal()) == .staleMessage)
        #expect(try await session.first.answer(proposal) == answer)
    }

    @Test("a request before a proposal is stale, and the proposal is then answered")
    func requestFirst() async throws {
        let session = try SigningSession()
        let (_, request) = try await committed()
        #expect(await answer(of: session, to: request) == .staleMessage)
        #expect(await answer(of: session, to: session.proposal()) == nil)
    }

    @Test("a refused proposal draws no nonces: the right one is answered afterwards")
    func refusedFirst() async throws {
        let session = try SigningSession()
        let other = session.proposal(confirmed: [UInt8](repeating: 1, count: 32))
        #expect(await answer(of: session, to: other) == .notWhatWasConfirmed)
        #expect(await answer(of: session, to: session.proposal(signers: [2, 3])) != nil)
        #expect(await answer(of: session, to: session.proposal()) == nil)
    }

    @Test("a request of another session is stale, and ends nothing")
    func otherSession() async throws {
        var (session, request) = try await committed()
        let honest = request
        session.session = CeremonyID(from: SystemRandom())
        let message = try CeremonyMessage(decoding: request)
        request = session.message(.signingPackages, message.payload)
        #expect(await answer(of: session, to: request) == .staleMessage)
        #expect(await answer(of: session, to: honest) == nil)
    }

    @Test("a message under another participant's name is stale")
    func otherSender() async throws {
        let (session, request) = try await committed()
        #expect(await answer(of: session, to: request.flipping(4, by: 2)) == .staleMessage)
        let fresh = try SigningSession()
        #expect(await answer(of: fresh, to: fresh.proposal().flipping(4, by: 2)) == .staleMessage)
    }

    @Test("malformed bytes end nothing")
    func noise() async throws {
        let (session, request) = try await committed()
        #expect(await answer(of: session, to: Array(request.dropLast())) == .malformedMessage)
        #expect(await answer(of: session, to: request) == nil)
        let fresh = try SigningSession()
        #expect(await answer(of: fresh, to: []) == .malformedMessage)
        #expect(await answer(of: fresh, to: fresh.proposal()) == nil)
    }

    @Test("nonces are not used twice: a repeated request gets the same shares, another one gets none")
    func askedTwice() async throws {
        let (session, request) = try await committed()
        let shares = try await session.first.answer(request)
        #expect(try await session.first.answer(request) == shares)
        #expect(await answer(of: session, to: request.changingPayload { $0.flipping(9) }) == .staleMessage)
        #expect(await answer(of: session, to: session.proposal()) == .staleMessage)
    }

    @Test("a participant in signing refuses key generation, and a participant in key generation refuses signing")
    func otherProtocol() async throws {
        let session = try SigningSession()
        #expect(await answer(of: session, to: session.message(.sharingRequest, [])) == .staleMessage)
        let newcomer = try Newcomers(2, of: 2).participants[0]
        let proposal = session.proposal()
        #expect(
            await failure { () async throws(CeremonyError) in try await newcomer.answer(proposal) } == .staleMessage)
    }

    @Test("a participant that was used once does not sign again")
    func usedHolder() async throws {
        let session = try SigningSession()
        _ = try await session.spend.sign(with: [session.first, session.second], random: SystemRandom())
        let failure = await failure { () async throws(CeremonyError) in
            try await session.spend.sign(with: [session.first, session.second], random: SystemRandom())
        }
        #expect(failure == .staleMessage)
    }
}
