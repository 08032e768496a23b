internal import Bitcoin
import Curves
import Secrets
import Threshold
import Wallet

@testable import Ceremonies

/// A signing session in which a test plays the coordinator, who may also lie.
struct SigningSession {
    let wallet: KnownWallet
    let payment: Payment
    let spend: ConfirmedPayload
    let first: SigningParticipant
    let second: SigningParticipant
    var session = CeremonyID(from: SystemRandom())

    /// Creates participants 1 and 2 of a known wallet, and a payment with several inputs.
    init(inputs count: Int = 1, wallet: KnownWallet? = nil) throws {
        let wallet = try wallet ?? KnownWallet()
        self.wallet = wallet
        payment = try Payment(from: wallet, inputs: count)
        spend = try payment.confirmed(from: wallet)
        first = try wallet.participant(1, of: spend)
        second = try wallet.participant(2, of: spend)
    }

    func message(_ kind: CeremonyMessage.Kind, _ payload: [UInt8]) -> [UInt8] {
        CeremonyMessage(kind: kind, sender: CeremonyMessage.coordinator, session: session, payload: payload).encoded
    }

    /// Returns the proposal of an honest coordinator, or one that differs.
    func proposal(
        confirmed: [UInt8]? = nil, signers: [Int] = [1, 2], psbt: PSBT? = nil
    ) -> [UInt8] {
        message(
            .signingProposal,
            SigningProposal(
                confirmed: confirmed ?? spend.digest, signers: signers,
                payload: SigningPayload.bitcoinTransaction(psbt ?? spend.psbt).encoded
            ).encoded)
    }

    /// Proposes, and returns the commitments, one for each input.
    func commitments(
        of participant: any Participant, to proposal: [UInt8]? = nil
    ) async throws -> [FROST.BIP340.Commitment] {
        let answer = try CeremonyMessage(decoding: try await participant.answer(proposal ?? self.proposal()))
        let payload = try answer.payload(of: .signingCommitments, in: session, from: participant.index)
        return try MessageList.decode(payload, count: spend.work.requests.count).map(
            FROST.BIP340.Commitment.init(decoding:))
    }

    /// Returns the package for one input.
    func package(
        _ input: Int, _ commitments: [FROST.BIP340.Commitment], group: GroupKey<Secp256k1>? = nil,
        tweaks: [FROST.BIP340.Tweak]? = nil, message: [UInt8]? = nil
    ) throws -> FROST.BIP340.SigningPackage {
        try FROST.BIP340.SigningPackage(
            group: group ?? wallet.keys.groups.schnorr, commitments: commitments,
            tweaks: tweaks ?? SchnorrRequest(spend.work.requests[input])?.tweaks ?? [],
            message: message ?? spend.work.requests[input].message)
    }

    func request(_ packages: [FROST.BIP340.SigningPackage]) -> [UInt8] {
        message(.signingPackages, MessageList.encode(packages.map(\.encoded)))
    }

    /// Returns both participants' commitments, by input.
    func bothCommitments() async throws -> [[FROST.BIP340.Commitment]] {
        let mine = try await commitments(of: first)
        let others = try await commitments(of: second)
        return zip(mine, others).map { [$0, $1] }
    }
}
