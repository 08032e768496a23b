internal import Bitcoin
internal import HDKeys
import Secrets
import Testing
import Threshold
import Wallet

@testable import Ceremonies
@testable import CeremoniesTestSupport

/// Round 1: proposals that a coordinator may send.
@Suite("Signing: false proposals")
struct SigningProposalAttackTests {
    private static let changes: [(String, @Sendable (inout Payment) -> Void)] = [
        ("another payee", { $0.outputs[0].script = Payment.mallory }),
        ("another amount", { $0.outputs[0].satoshis += 1 }),
        ("another fee, out of the change", { $0.outputs[1].satoshis -= 500 }),
        ("the change left out", { $0.outputs.removeLast() }),
        ("the change to somebody else", { $0.outputs[1].script = Payment.mallory }),
        ("another order of the outputs", { $0.outputs.swapAt(0, 1) }),
        ("an output more", { $0.outputs.append(Payment.Output(script: Payment.mallory, satoshis: 500)) }),
        ("another lock time", { $0.lockTime = 1 }),
        ("another version", { $0.version = 1 }),
        ("another sequence", { $0.inputs[0].sequence = 0xFFFF_FFFF }),
        ("another amount that is spent", { $0.inputs[0].satoshis += 1 }),
        ("another input of the same wallet", { $0.inputs.swapAt(0, 1) }),
        (
            "an input left out",
            {
                $0.inputs.removeLast()
                $0.outputs[1].satoshis -= 100_000
            }
        ),
    ]

    @Test("a transaction changed after its confirmation gets no commitments", arguments: changes.map(\.0))
    func changed(_ name: String) async throws {
        let session = try SigningSession(inputs: 2)
        var payment = session.payment
        let change = try #require(Self.changes.first { $0.0 == name }?.1)
        change(&payment)
        let proposal = session.proposal(psbt: try payment.psbt)
        #expect(
            await failure { () async throws(CeremonyError) in try await session.first.answer(proposal) }
                == .notWhatWasConfirmed)
        // The confirmed payload can still be signed: nothing was drawn for the other.
        let honest = session.proposal()
        #expect(await failure { () async throws(CeremonyError) in try await session.first.answer(honest) } == nil)
    }

    @Test("a digest that was not computed from this transaction gets no commitments")
    func digest() async throws {
        for position in [0, 15, 31] {
            let session = try SigningSession()
            let proposal = session.proposal(confirmed: session.spend.digest.flipping(position))
            #expect(
                await failure { () async throws(CeremonyError) in try await session.first.answer(proposal) }
                    == .notWhatWasConfirmed)
        }
    }

    @Test("each participant refuses a payload with a refusal finding, even if it was confirmed")
    func refused() async throws {
        let session = try SigningSession()
        var payment = session.payment
        payment.outputs[0].satoshis = 200_000
        let account = try session.wallet.keys.accounts.taproot
        let proposal = session.proposal(
            confirmed: try payment.psbt.intentDigest(for: BitcoinAccounts(taproot: account)), psbt: try payment.psbt)
        #expect(
            await failure { () async throws(CeremonyError) in try await session.first.answer(proposal) }
                == .refused([.outputsExceedInputs]))
    }

    @Test("an already signed PSBT is refused")
    func signedAlready() async throws {
        let session = try SigningSession()
        let signed = try await session.spend.sign(
            with: session.wallet.participants([1, 2], of: session.spend), random: SystemRandom()
        ).psbt
        let proposal = session.proposal(psbt: signed)
        #expect(
            await failure { () async throws(CeremonyError) in try await session.first.answer(proposal) }
                == .refused([.nothingToSign]))
    }

    @Test(
        "a set of signers without this participant, or of another size, or with a stranger, is refused",
        arguments: [[2, 3], [1], [1, 2, 3], [], [1, 4], [1, 15]])
    func signers(_ signers: [Int]) async throws {
        let session = try SigningSession()
        let proposal = session.proposal(signers: signers)
        #expect(
            await failure { () async throws(CeremonyError) in try await session.first.answer(proposal) }
                == .wrongNumberOfShares(needed: 2, given: signers.count))
    }

    @Test(
        "a set of signers that is not ascending, or names one twice, is malformed",
        arguments: [[2, 1], [1, 1], [0, 1], [1, 16]])
    func notASet(_ signers: [Int]) async throws {
        let session = try SigningSession()
        let proposal = session.proposal(signers: signers)
        #expect(
            await failure { () async throws(CeremonyError) in try await session.first.answer(proposal) }
                == .malformedMessage)
    }

    @Test("a coordinator that proposes its own transaction with its digest gets no answer")
    func ownDigest() async throws {
        let session = try SigningSession()
        var theirs = session.payment
        theirs.outputs[0].script = Payment.mallory
        let spend = try theirs.confirmed(from: session.wallet)
        let proposal = session.proposal(confirmed: spend.digest, psbt: spend.psbt)
        #expect(
            await failure { () async throws(CeremonyError) in try await session.first.answer(proposal) }
                == .notWhatWasConfirmed)
        // The confirmed transaction with another digest is refused as well.
        let renamed = session.proposal(confirmed: spend.digest)
        #expect(
            await failure { () async throws(CeremonyError) in try await session.second.answer(renamed) }
                == .notWhatWasConfirmed)
    }

    @Test("a participant of another wallet refuses: it owns none of the inputs")
    func otherWallet() async throws {
        let session = try SigningSession()
        let stranger = try KnownWallet(0x44).participant(2, of: session.spend)
        let failure = await failure { () async throws(CeremonyError) in
            try await session.spend.sign(with: [session.first, stranger], random: SystemRandom())
        }
        #expect(failure == .refused([.noInputOfOurs]))
    }

    @Test("a participant of another network refuses: the intent differs")
    func otherNetwork() async throws {
        let session = try SigningSession()
        let elsewhere = try session.wallet.participant(2, of: session.spend, on: .testnet)
        let failure = await failure { () async throws(CeremonyError) in
            try await session.spend.sign(with: [session.first, elsewhere], random: SystemRandom())
        }
        #expect(failure == .notWhatWasConfirmed)
    }

    @Test("a malformed PSBT is refused with its error")
    func notAPSBT() async throws {
        let session = try SigningSession()
        let payload = SigningProposal(
            confirmed: session.spend.digest, signers: [1, 2], payload: [1, 0, 0, 0, 0, 1, 2, 3]
        ).encoded
        let proposal = session.message(.signingProposal, payload)
        let failure = await failure { () async throws(CeremonyError) in try await session.first.answer(proposal) }
        guard case .wallet = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
    }
}
