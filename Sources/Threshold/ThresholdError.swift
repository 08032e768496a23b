public import Encoding
public import Secrets

/// What stops a threshold protocol: bytes that are wrong, a participant that is, or a request that must not be served.
///
/// No case carries a secret, and blame is data: ``faulty(culprits:)`` names who has to be left out of the next try.
public enum ThresholdError: Error, Equatable, Sendable {
    /// The bytes are not of this format: truncated, too long, of another version, kind or curve.
    case malformed(EncodingError)
    /// A point or scalar that is not canonical, not on the curve, outside the prime-order subgroup, or zero.
    case invalidElement
    /// A threshold, a number of participants or an index that is outside its limits.
    case invalidParameters
    /// The shares of a key do not belong together: a share does not match its public part, or the public parts lie on no
    /// polynomial of the right degree.
    case inconsistentKey
    /// The message was made for another key, or for the same key before or after its shares were renewed.
    case wrongGroup
    /// A participant occurs twice.
    case duplicateParticipant(ParticipantIndex)
    /// A participant that does not belong to the group, or not to this session.
    case unknownParticipant(ParticipantIndex)
    /// A participant of this session sent nothing.
    case missingParticipant(ParticipantIndex)
    /// Fewer signers than the threshold.
    case tooFewSigners(needed: Int)
    /// More signers than the threshold, where exactly so many are wanted.
    case tooManySigners(needed: Int)
    /// The signing package holds another commitment under this signer's index than the one that it sent.
    case ownCommitmentMismatch
    /// The tweaks lead to no public key.
    case invalidTweak
    /// These participants broke the protocol. The session is over; the culprits are sorted.
    case faulty(culprits: [ParticipantIndex])
    /// This peer cheated in oblivious transfer or multiplication: it is banned, and what is kept of the pair must be destroyed,
    /// since each such try can tell the peer a part of it.
    case cheating(by: ParticipantIndex)
    /// This peer has cheated before. Nothing is signed together with it until the shares are renewed.
    case banned(ParticipantIndex)
    /// The share is of an older format, which nothing is signed with. The shares have to be renewed; nobody is to blame.
    case outdatedShare
    /// Shares of the same key from before and after a renewal, which are worth nothing together.
    ///
    /// If less was got than expected, this share is out of date: use the newest one, or have it again from the recovery data
    /// of the renewal. If more was got, the request is out of date: begin anew with the present group key.
    case wrongEpoch(expected: Int, got: Int)
    /// This participant takes part in another session: it signs something else, or was shown other messages.
    case disagreement(with: ParticipantIndex)
    /// Not what this participant sealed: somebody changed it on its way, or made it up.
    case unauthentic(from: ParticipantIndex)
    /// Not the message that was asked for, or not 32 bytes.
    case wrongMessage
    /// The parts do not add up to a signature, and nobody can tell whose is wrong. The session is over.
    case failedSignature
    /// This process has no room for another session or share. It is nobody's fault: try again when others have ended.
    case exhausted(SecretMemory.Exhausted)
    /// What only stops the making of a key.
    case keyGeneration(DKG.Fault)
    /// What only stops the making and moving of shares.
    case sharing(Sharing.Fault)
    /// What only stops the set-up of pairs for ECDSA.
    case pairSetup(ECDSA.PairSetup.Fault)
}
