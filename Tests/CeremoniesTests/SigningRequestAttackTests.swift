import Curves
import Encoding
import Secrets
import Testing
import Threshold
import Wallet

@testable import Ceremonies
@testable import CeremoniesTestSupport

/// Round 2: requests that a coordinator may send after the participant has committed to nonces.
@Suite("Signing: false requests")
struct SigningRequestAttackTests {
    typealias Package = FROST.BIP340.SigningPackage

    /// Asks participant 1 for a signature share with changed packages. After its refusal it signs the confirmed
    /// payload, and nothing else.
    private func ask(
        inputs count: Int = 1, _ error: CeremonyError?,
        _ change: (SigningSession, [[FROST.BIP340.Commitment]]) throws -> [Package]
    ) async throws {
        let session = try SigningSession(inputs: count)
        let commitments = try await session.bothCommitments()
        let honest = session.request(
            try commitments.enumerated().map { try session.package($0.offset, $0.element) })
        let request = session.request(try change(session, commitments))
        #expect(request != honest || error == nil, "the attack changes nothing")
        #expect(await failure { () async throws(CeremonyError) in try await session.first.answer(request) } == error)
        guard error != nil else { return }
        let shares = try await session.first.answer(honest)
        #expect(try await session.first.answer(honest) == shares)
        for again in [request, session.proposal()] {
            #expect(
                await failure { () async throws(CeremonyError) in try await session.first.answer(again) }
                    == .staleMessage, "an answer to a second request would be a second use of the nonces")
        }
    }

    @Test("the confirmed payload is signed, once")
    func honest() async throws {
        try await ask(nil) { session, commitments in [try session.package(0, commitments[0])] }
    }

    @Test("another message is not signed")
    func message() async throws {
        try await ask(.notWhatWasConfirmed) { session, commitments in
            [try session.package(0, commitments[0], message: session.spend.work.requests[0].message.flipping(31))]
        }
        try await ask(.notWhatWasConfirmed) { session, commitments in
            [try session.package(0, commitments[0], message: [])]
        }
    }

    @Test("tweaks that lead to another key are refused")
    func tweaks() async throws {
        let changes: [([FROST.BIP340.Tweak]) -> [FROST.BIP340.Tweak]] = [
            { _ in [] }, { $0.dropLast() }, { Array($0.dropFirst()) }, { $0.reversed() }, { $0 + [.plain(.zero)] },
            { $0.dropLast() + [.xOnly(.one)] },
            { tweaks in
                tweaks.map { if case .xOnly(let scalar) = $0 { .plain(scalar) } else { $0 } }
            },
        ]
        for change in changes {
            try await ask(.notWhatWasConfirmed) { session, commitments in
                let own = try #require(SchnorrRequest(session.spend.work.requests[0])).tweaks
                return [try session.package(0, commitments[0], tweaks: change(own))]
            }
        }
    }

    @Test("signers that were not proposed are refused")
    func signers() async throws {
        try await ask(.staleMessage) { session, commitments in
            let third = try Self.commitment(3)
            return [try session.package(0, [commitments[0][0], third])]
        }
        try await ask(.staleMessage) { session, commitments in
            [try session.package(0, commitments[0] + [try Self.commitment(3)])]
        }
        // Without this participant.
        try await ask(.staleMessage) { session, commitments in
            [try session.package(0, [commitments[0][1], try Self.commitment(3)])]
        }
    }

    @Test("another commitment under the participant's own index is detected")
    func ownCommitment() async throws {
        try await ask(.threshold(.ownCommitmentMismatch)) { session, commitments in
            [try session.package(0, [try Self.commitment(1), commitments[0][1]])]
        }
        // Its own commitment, for the other input.
        try await ask(inputs: 2, .threshold(.ownCommitmentMismatch)) { session, commitments in
            [
                try session.package(0, [commitments[1][0], commitments[0][1]]),
                try session.package(1, [commitments[0][0], commitments[1][1]]),
            ]
        }
    }

    @Test("swapped packages, or one package for two inputs, are refused")
    func exchanged() async throws {
        try await ask(inputs: 2, .threshold(.ownCommitmentMismatch)) { session, commitments in
            [try session.package(1, commitments[1]), try session.package(0, commitments[0])]
        }
        // With the commitments at their positions.
        try await ask(inputs: 2, .notWhatWasConfirmed) { session, commitments in
            [try session.package(1, commitments[0]), try session.package(0, commitments[1])]
        }
        try await ask(inputs: 2, .notWhatWasConfirmed) { session, commitments in
            [try session.package(0, commitments[0]), try session.package(0, commitments[1])]
        }
    }

    @Test("if one of two packages is wrong, the other is not signed either")
    func allOrNone() async throws {
        try await ask(inputs: 2, .notWhatWasConfirmed) { session, commitments in
            [
                try session.package(0, commitments[0]),
                try session.package(1, commitments[1], message: session.spend.work.requests[0].message),
            ]
        }
    }

    @Test("fewer packages than inputs, or more, are malformed")
    func count() async throws {
        try await ask(inputs: 2, .malformedMessage) { session, commitments in
            [try session.package(0, commitments[0])]
        }
        try await ask(.malformedMessage) { session, commitments in
            let package = try session.package(0, commitments[0])
            return [package, package]
        }
    }

    @Test("a package for another key, or for the same key with renewed shares, is refused")
    func otherGroup() async throws {
        for other in [try KnownWallet(0x44), try KnownWallet().renewed()] {
            try await ask(.threshold(.wrongGroup)) { session, commitments in
                [try session.package(0, commitments[0], group: other.keys.groups.schnorr)]
            }
        }
    }

    @Test("a malformed package is refused with its error")
    func malformed() async throws {
        let session = try SigningSession()
        let commitments = try await session.bothCommitments()
        let package = try session.package(0, commitments[0]).encoded
        let request = session.message(.signingPackages, MessageList.encode([package.dropLast()]))
        let failure = await failure { () async throws(CeremonyError) in try await session.first.answer(request) }
        #expect(failure == .threshold(.malformed(.truncated)))
        _ = try await session.first.answer(session.request([try session.package(0, commitments[0])]))
    }

    /// An invented commitment.
    private static func commitment(_ index: Int) throws -> FROST.BIP340.Commitment {
        FROST.BIP340.Round1.commit(try KnownWallet().share(index), random: SystemRandom()).commitment
    }
}
