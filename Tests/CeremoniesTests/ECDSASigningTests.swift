internal import Bitcoin
import Curves
import Secrets
import Testing
import Threshold
import Wallet

@testable import Ceremonies
@testable import CeremoniesTestSupport

@Suite("Signing by ECDSA")
struct ECDSASigningTests {
    @Test("each pair of shares signs taproot and P2WPKH inputs of one transaction, and records it")
    func pairs() async throws {
        let wallet = try await MadeWallet()
        for (one, other) in [(1, 2), (3, 1), (2, 3)] {
            let spend = try wallet.spend(taproot: 1, segwit: 2)
            let ledgers = [MemoryLedger(), MemoryLedger()]
            let signed = try await spend.sign(
                with: [
                    try wallet.participant(one, of: spend, ledger: ledgers[0]),
                    try wallet.participant(other, of: spend, ledger: ledgers[1]),
                ], random: SystemRandom())
            #expect(signed.warnings.isEmpty)
            // Extracting verifies every signature.
            let transaction = try signed.psbt.finalised().transaction()
            #expect(transaction.inputs.map(\.witness.count) == [1, 2, 2])
            for ledger in ledgers { #expect(ledger.entries == [.began, .charged, .refunded]) }
        }
    }

    @Test("taproot alone needs no counts, and ECDSA does")
    func ledgers() async throws {
        let wallet = try await MadeWallet()
        let taproot = try wallet.spend(taproot: 2, segwit: 0)
        #expect(!taproot.needsLedgers)
        _ = try await taproot.sign(
            with: [
                try wallet.participant(1, of: taproot, ledger: nil),
                try wallet.participant(2, of: taproot, ledger: nil),
            ], random: SystemRandom())

        let spend = try wallet.spend(taproot: 1, segwit: 1)
        #expect(spend.needsLedgers)
        let (first, second) = (
            try wallet.participant(1, of: spend, ledger: nil), try wallet.participant(2, of: spend, ledger: nil)
        )
        #expect(
            await failure { () throws(CeremonyError) in
                _ = try await spend.sign(with: [first, second], random: SystemRandom())
            } == .noLedger)
    }

    @Test("signing does not begin if the counts cannot be written or the limit is reached")
    func refusingLedger() async throws {
        let wallet = try await MadeWallet()
        let spend = try wallet.spend(taproot: 1, segwit: 1)
        let first = try wallet.participant(1, of: spend, ledger: MemoryLedger(refusing: .unwritable))
        let second = try wallet.participant(2, of: spend, ledger: MemoryLedger())
        #expect(
            await failure { () throws(CeremonyError) in
                _ = try await spend.sign(with: [first, second], random: SystemRandom())
            } == .unwritable)
        #expect(await failure { () throws(CeremonyError) in try await first.answer([]) } == .malformedMessage)
    }

    @Test("ote_check_failure_bans_peer: the ban is recorded before any answer, and the charge stays")
    func cheater() async throws {
        let wallet = try await MadeWallet()
        let spend = try wallet.spend(taproot: 0, segwit: 1)
        let (ledger, other) = (MemoryLedger(), MemoryLedger())
        let honest = try wallet.participant(3, of: spend, ledger: ledger)
        let cheater = try wallet.cheater(2, of: spend, ledger: other)
        let error = await failure { () throws(CeremonyError) in
            _ = try await spend.sign(with: [honest, cheater], random: SystemRandom())
        }
        #expect(error == .accusation(.cheating(by: try ParticipantIndex(2)), by: 3))
        #expect(ledger.entries == [.began, .charged, .banned(2)])
        // It has checked no transfer, or only the honest participant's, and receives the abort.
        #expect(other.entries.filter { $0 != .charged } == [.began, .refunded])
    }

    @Test("no_retry_after_ban: a session with a banned peer is refused before taproot is signed")
    func banned() async throws {
        let wallet = try await MadeWallet()
        let spend = try wallet.spend(taproot: 1, segwit: 1)
        let banned = CeremonyError.threshold(.banned(try ParticipantIndex(2)))
        let listener = MiddleMan(
            listeningTo: try wallet.participant(3, of: spend, ledger: MemoryLedger(refusing: banned)))
        let second = try wallet.participant(2, of: spend, ledger: MemoryLedger())
        let error = await failure { () throws(CeremonyError) in
            _ = try await spend.sign(with: [listener, second], random: SystemRandom())
        }
        #expect(error == .accusation(.banned(try ParticipantIndex(2)), by: 3))
        #expect(
            try await listener.requests.map { try CeremonyMessage(decoding: $0).kind } == [.signingProposal, .abort])
    }

    /// Runs a session in which the last byte of a request to participant 1 is changed. Returns the result, and
    /// participant 1's record.
    private func changing(request step: Int) async throws -> (
        Result<SignedPayload, CeremonyError>, [MemoryLedger.Entry]
    ) {
        let wallet = try await MadeWallet()
        let spend = try wallet.spend(taproot: 0, segwit: 1)
        let (ledger, other) = (MemoryLedger(), MemoryLedger())
        let honest = try wallet.participant(1, of: spend, ledger: ledger)
        let second = try wallet.participant(2, of: spend, ledger: other)
        let meddler = MiddleMan(honest) { passage in
            guard passage.direction == .request, passage.step == step else { return passage.bytes }
            return passage.bytes.flipping(passage.bytes.count - 1)
        }
        do throws(CeremonyError) {
            return (.success(try await spend.sign(with: [meddler, second], random: SystemRandom())), ledger.entries)
        } catch { return (.failure(error), ledger.entries) }
    }

    // Request 1 is the proposal, and 2 contains the commitments; 3 and 4 are sealed, 5 is the end.
    @Test("a coordinator that changes sealed messages cannot incriminate a participant", arguments: 3...4)
    func relay(_ step: Int) async throws {
        let (outcome, written) = try await changing(request: step)
        guard case .failure(.accusation(.unauthentic(from: try ParticipantIndex(2)), by: 1)) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        // A message that the peer did not seal is not checked, and a coordinator that aborts in time costs nothing.
        #expect(written == (step == 3 ? [.began, .refunded] : [.began, .charged, .refunded]))
    }

    @Test("a signature that a participant receives in another form is valid, but the participant counts it as failed")
    func shown() async throws {
        let (outcome, written) = try await changing(request: 5)
        let signed = try outcome.get()
        #expect(try signed.psbt.finalised().transaction().inputs.count == 1)
        #expect(signed.warnings == [.threshold(.failedSignature)])
        #expect(written == [.began, .charged])
    }

    @Test(
        "free_tries: a signature that an earlier session made does not take back the count of one that came to nothing")
    func earlierSignature() async throws {
        let wallet = try await MadeWallet()
        let spend = try wallet.spend(taproot: 0, segwit: 1)
        let listener = MiddleMan(listeningTo: try wallet.participant(1, of: spend, ledger: MemoryLedger()))
        let peer = try wallet.participant(2, of: spend, ledger: MemoryLedger())
        _ = try await spend.sign(with: [listener, peer], random: SystemRandom())
        let earlier = try CeremonyMessage(decoding: try #require(await listener.requests.last)).payload

        let ledger = MemoryLedger()
        let meddler = MiddleMan(try wallet.participant(1, of: spend, ledger: ledger)) { passage in
            guard passage.direction == .request, passage.step == 5 else { return passage.bytes }
            return passage.bytes.changingPayload { _ in earlier }
        }
        let other = try wallet.participant(2, of: spend, ledger: MemoryLedger())
        let signed = try await spend.sign(with: [meddler, other], random: SystemRandom())
        #expect(signed.warnings == [.threshold(.failedSignature)])
        #expect(ledger.entries == [.began, .charged])
    }

    /// Runs a session with an honest participant 1, in which an answer of participant 2 is changed.
    private func changing(
        answer step: Int, _ change: @escaping @Sendable ([UInt8]) -> [UInt8]
    ) async throws -> Result<SignedPayload, CeremonyError> {
        let wallet = try await MadeWallet()
        let spend = try wallet.spend(taproot: 0, segwit: 1)
        let honest = try wallet.participant(1, of: spend, ledger: MemoryLedger())
        let liar = MiddleMan(try wallet.participant(2, of: spend, ledger: MemoryLedger())) { passage in
            guard passage.direction == .answer, passage.step == step else { return passage.bytes }
            return passage.bytes.changingPayload(change)
        }
        do throws(CeremonyError) {
            return .success(try await spend.sign(with: [honest, liar], random: SystemRandom()))
        } catch { return .failure(error) }
    }

    @Test("a partial signature with another participant's index blames its sender, not the other signer")
    func otherName() async throws {
        // The index follows the list's 4 bytes, the header of 3 bytes and the session's identity.
        let outcome = try await changing(answer: 4) { $0.flipping(39, by: 2 ^ 1) }
        guard case .failure(.threshold(.faulty(culprits: [try ParticipantIndex(2)]))) = outcome else {
            Issue.record("\(outcome)")
            return
        }
    }

    @Test(
        "a part of a signature of another session is named for who sent it, whichever signer that is",
        arguments: [1, 2])
    func otherSession(_ liar: Int) async throws {
        let wallet = try await MadeWallet()
        let spend = try wallet.spend(taproot: 0, segwit: 1)
        let participants = try [1, 2].map { index in
            MiddleMan(try wallet.participant(index, of: spend, ledger: MemoryLedger())) { passage in
                guard index == liar, passage.direction == .answer, passage.step == 4 else { return passage.bytes }
                // The position after the list's 4 bytes and the header of 3 bytes.
                return passage.bytes.changingPayload { $0.flipping(7) }
            }
        }
        #expect(
            await failure { () async throws(CeremonyError) in
                try await spend.sign(with: participants, random: SystemRandom())
            } == .threshold(.faulty(culprits: [try ParticipantIndex(liar)])))
    }

    @Test("a participant with a malformed answer to the final signature is reported, and the signature returned")
    func wordyAcceptance() async throws {
        let signed = try await changing(answer: 5) { $0 + [0] }.get()
        #expect(signed.warnings == [.malformedMessage])
    }

    @Test(
        "what one participant cannot write down is a warning, and keeps neither the signature nor the other participant's success"
    )
    func unwrittenSuccess() async throws {
        let wallet = try await MadeWallet()
        let spend = try wallet.spend(taproot: 1, segwit: 1)
        let (full, other) = (MemoryLedger(refusingSuccess: .unwritable), MemoryLedger())
        let signed = try await spend.sign(
            with: [
                try wallet.participant(1, of: spend, ledger: full), try wallet.participant(2, of: spend, ledger: other),
            ], random: SystemRandom())
        #expect(signed.warnings == [.unwritable])
        #expect(try signed.psbt.finalised().transaction().inputs.map(\.witness.count) == [1, 2])
        #expect(full.entries == [.began, .charged])
        #expect(other.entries == [.began, .charged, .refunded])
    }

    @Test("used_holder: after signing, a participant repeats its last answer, and gives no other")
    func terminal() async throws {
        let wallet = try await MadeWallet()
        let spend = try wallet.spend(taproot: 0, segwit: 1)
        let honest = try wallet.participant(1, of: spend, ledger: MemoryLedger())
        let listener = MiddleMan(listeningTo: honest)
        _ = try await spend.sign(
            with: [listener, try wallet.participant(2, of: spend, ledger: MemoryLedger())], random: SystemRandom())
        for request in await listener.requests.dropLast() {
            #expect(await failure { () throws(CeremonyError) in try await honest.answer(request) } == .staleMessage)
        }
        let (last, answer) = (try #require(await listener.requests.last), try #require(await listener.answers.last))
        #expect(try await honest.answer(last) == answer)
    }
}
