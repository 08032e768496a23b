public import Encoding
public import Secrets

/// An error of a threshold protocol: wrong bytes, a misbehaving participant, or a request that must be refused.
///
/// No case contains a secret, and blame is data: ``faulty(culprits:)`` names the participants to leave out of the next
/// attempt.
public enum ThresholdError: Error, Equatable, Sendable {
    /// The bytes are not of this format: truncated, too long, of another version, kind or curve.
    case malformed(EncodingError)
    /// A point or scalar is not canonical, not on the curve, outside the prime-order subgroup, or zero.
    case invalidElement
    /// A threshold, a number of participants or an index is outside its limits.
    case invalidParameters
    /// The shares of a key do not belong together: a share does not match its public part, or the public parts are not
    /// on a polynomial of the right degree.
    case inconsistentKey
    /// The message was made for another key, or for the same key in another epoch.
    case wrongGroup
    /// A participant occurs twice.
    case duplicateParticipant(ParticipantIndex)
    /// The participant does not belong to the group, or not to this session.
    case unknownParticipant(ParticipantIndex)
    /// A participant of this session sent nothing.
    case missingParticipant(ParticipantIndex)
    /// There are fewer signers than the threshold.
    case tooFewSigners(needed: Int)
    /// There are more signers than the threshold, where exactly that many are required.
    case tooManySigners(needed: Int)
    /// The signing package has another commitment under this signer's index than the one that it sent.
    case ownCommitmentMismatch
    /// The tweaks give an invalid public key.
    case invalidTweak
    /// These participants broke the protocol. The session is over; the culprits are sorted.
    case faulty(culprits: [ParticipantIndex])
    /// This peer cheated in oblivious transfer or multiplication. It is banned, and the pair must be destroyed, since
    /// each such attempt can reveal a part of it to the peer.
    case cheating(by: ParticipantIndex)
    /// This peer cheated before. The share signs nothing with it until the next renewal.
    case banned(ParticipantIndex)
    /// The share has an older format and cannot sign. It needs a renewal; no participant is to blame.
    case outdatedShare
    /// Shares of the same key from different epochs, which do not work together.
    ///
    /// If `got` is lower than `expected`, this share is out of date: use the newest one, or recover it from the
    /// recovery data of the renewal. If `got` is higher, the request is out of date: begin again with the present group
    /// key.
    case wrongEpoch(expected: Int, got: Int)
    /// This participant takes part in another session: it signs another request, or was shown other messages.
    case disagreement(with: ParticipantIndex)
    /// This participant did not seal this message: it was changed on its way, or forged.
    case unauthentic(from: ParticipantIndex)
    /// The message is not the requested one, or does not have 32 bytes.
    case wrongMessage
    /// The parts do not add up to a signature, and it is unknown whose is wrong. The session is over.
    case failedSignature
    /// This process has no memory for another session or share. Try again when others have ended.
    case exhausted(SecretMemory.Exhausted)
    /// An error that only sharing has.
    case sharing(Sharing.Fault)
    /// An error that only pairing for ECDSA has.
    case pairSetup(PairSetupFault)
}
