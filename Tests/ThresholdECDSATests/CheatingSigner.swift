import Curves
import Secrets
import Threshold
import ThresholdTestSupport

@testable import ThresholdECDSA

/// A signer that follows the protocol with a share of its own choice: all its messages are consistent.
struct CheatingSigner: ~Copyable {
    let message: [UInt8]
    private let session: ECDSA.SigningSession
    private let commitment: ECDSA.NonceCommitment
    private let secrets: ECDSA.SignerSecrets

    init(
        key: DealtKey, index: ParticipantIndex, request: ECDSA.SigningRequest, random: some RandomSource
    ) throws(ThresholdError) {
        let (group, setup, pairs) = try key.share(index).borrow { share throws(ThresholdError) in
            var pairs: [ECDSA.Pair] = []
            for peer in request.signers where peer != index { pairs.append(try share.pair(with: peer)) }
            return (share.group, share.setup, pairs)
        }
        session = ECDSA.SigningSession(
            request: request, group: group, index: index, epoch: 0,
            context: request.context(group: group, setup: setup, epoch: 0), pairs: pairs)
        let share = SecretScalar<Secp256k1>(from: random)
        let randomness = ECDSA.SignerRandomness(
            fresh: SecretBytes(count: 32, from: random), share: share, context: session.context, session: [])
        let nonce = randomness.sessionNonce()
        secrets = ECDSA.SignerSecrets(share: share, randomness: randomness)
        commitment = ECDSA.NonceCommitment(
            index: index, nonce: nonce,
            commitment: ECDSA.NonceCommitment.commitment(
                to: secrets.nonce.timesGenerator(), salt: secrets.salt, nonce: nonce, by: index, in: session.context))
        message = commitment.encoded(epoch: 0, context: session.context)
    }

    consuming func round2(_ messages: [ParticipantIndex: [UInt8]]) throws(ThresholdError) -> ECDSA.Round2 {
        let (session, commitment) = (session, commitment)
        let received = try session.decode(messages.filter { $0.key != session.index }) {
            bytes, pair throws(ThresholdError) in
            try ECDSA.NonceCommitment(decoding: bytes, from: pair.peer, epoch: 0, context: session.context)
        }
        let identity = ECDSA.NonceCommitment.session(
            (received + [commitment]).sorted { $0.index < $1.index }, in: session.context)
        return ECDSA.Round2(
            ECDSA.AgreedSession(base: session, identity: identity, commitments: received),
            secrets: secrets.joined(to: identity))
    }
}
