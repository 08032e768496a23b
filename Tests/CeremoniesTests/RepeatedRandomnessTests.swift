import Secrets
import Testing
import Wallet

@testable import Ceremonies
@testable import CeremoniesTestSupport

/// A machine that is restored to a snapshot may draw the same numbers again; a broken one always does.
@Suite("Signing: repeated random bytes")
struct RepeatedRandomnessTests {
    private struct Stuck: RandomSource {
        func fill(_ buffer: UnsafeMutableRawBufferPointer) {
            buffer.copyBytes(from: repeatElement(0x5A, count: buffer.count))
        }
    }

    /// The commitments of participant 1 when it is asked to sign.
    private func commitments(
        to payment: Payment, of wallet: KnownWallet, in session: CeremonyID
    ) async throws -> [[UInt8]] {
        let confirmed = try payment.confirmed(from: wallet)
        let participant = SigningParticipant(
            keys: try wallet.shares(1), network: wallet.keys.network, imported: nil,
            authorizer: ConfirmedIntent(confirmed.digest, asking: PolicyAuthorizer(now: 0)), ledger: nil,
            random: Stuck())
        let proposal = SigningProposal(
            confirmed: confirmed.digest, signers: [1, 2],
            payload: SigningPayload.bitcoinTransaction(confirmed.psbt).encoded)
        let request = CeremonyMessage(
            kind: .signingProposal, sender: CeremonyMessage.coordinator, session: session, payload: proposal.encoded)
        let answer = try CeremonyMessage(decoding: try await participant.answer(request.encoded))
        return try MessageList.decode(answer.payload, count: payment.inputs.count)
    }

    @Test("no two inputs or sessions share nonces, which would reveal the share")
    func nonces() async throws {
        let wallet = try KnownWallet()
        let two = try Payment(from: wallet, inputs: 2)
        let one = CeremonyID(from: SystemRandom())
        let other = CeremonyID(from: SystemRandom())
        let all =
            try await commitments(to: two, of: wallet, in: one) + commitments(to: two, of: wallet, in: other)
            + commitments(to: try Payment(from: wallet), of: wallet, in: one)
        #expect(all.count == 5)
        #expect(Set(all).count == 5)
        // The control: the random bytes do repeat.
        #expect(try await commitments(to: two, of: wallet, in: one) == Array(all[..<2]))
    }

    @Test("no two ECDSA sessions share nonces: with another peer nonce this would reveal the key")
    func ecdsaNonces() async throws {
        let wallet = try await MadeWallet()
        let spend = try wallet.spend(taproot: 0, segwit: 1)
        func commitment(in session: some RandomSource) async throws -> [UInt8] {
            let listener = MiddleMan(
                listeningTo: try wallet.participant(1, of: spend, ledger: MemoryLedger(), random: Stuck()))
            let other = try wallet.participant(2, of: spend, ledger: MemoryLedger())
            _ = try await spend.sign(with: [listener, other], random: session)
            return try CeremonyMessage(decoding: await listener.answers[0]).payload
        }
        #expect(try await commitment(in: SystemRandom()) != commitment(in: SystemRandom()))
        // The control: the random bytes do repeat.
        #expect(try await commitment(in: Stuck()) == commitment(in: Stuck()))
    }
}
