/// Distributed key generation: n participants make a t-of-n key together, and the whole key never exists anywhere.
///
/// It is ChillDKG (BIP draft, version 0.3.0), on two curves: ``BIP340`` is exactly the draft, ``Ed25519`` follows its
/// steps for keys of RFC 9591. A coordinator, which is trusted with nothing, passes the messages on. Participants know
/// each other by host keys.
///
/// ```swift
/// let session = try DKG.Session<DKG.BIP340>(threshold: 2, hostKeys: publicHostKeys)
/// // Each participant, step 1: sends `contribution.message`.
/// let contribution = try DKG.Contribution(hostKey: hostKey, session: session, random: SystemRandom())
/// // The coordinator: sends `coordinator.message` to all.
/// let coordinator = try DKG.Coordinator(session: session, messages: messagesByParticipant)
/// // Each participant, step 2: checks everything, signs the transcript, sends `pending.message`.
/// let pending = try contribution.receive(message, hostKey: hostKey, random: SystemRandom()).share()
/// // The coordinator: sends `certificate.message` to all.
/// let certificate = try coordinator.certify(messagesByParticipant)
/// // Each participant: only now there is a share.
/// let output = try pending.activate(message)
/// ```
///
/// No share comes out before all n participants have signed the same transcript: that is the second phase. Another
/// result is the ``RecoveryData``. It is public, and gives the share again together with a host key.
///
/// - Warning: A participant whose step fails, or whose answer does not arrive, must keep its host key: another
///   participant may have received the certificate, and use the key.
public enum DKG {}

extension DKG {
    /// The errors of a key generation, beside those of all protocols in this module. Blame is data.
    ///
    /// Participants that certainly broke the protocol, in the coordinator's judgement, are in
    /// ``ThresholdError/faulty(culprits:)``.
    public enum Fault: Equatable, Sendable {
        /// The host key of this participant is not valid.
        case invalidHostKey(of: ParticipantIndex)
        /// Two participants have the same host key: at least one of them is faulty.
        case duplicateHostKey(of: ParticipantIndex, and: ParticipantIndex)
        /// The secret host key belongs to no participant of the session, or not to the one that began it.
        case foreignHostKey
        /// The random source returned only zeros.
        case brokenRandomness
        /// This participant broke the protocol; or the coordinator did, and makes it look like the participant.
        case suspect(ParticipantIndex)
        /// The coordinator broke the protocol.
        case coordinator
        /// A contribution to this participant's share is wrong. The ``DKG/Investigation`` finds the culprit.
        case wrongShare
        /// The recovery data is not signed by all its participants.
        case invalidCertificate
    }
}
