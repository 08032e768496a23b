internal import Curves

extension DKG {
    /// A participant after step 2: its share is right, but nobody knows yet whether the others have theirs.
    ///
    /// The share cannot be had from here: a key that another participant cannot sign with would lose what is sent to it.
    public struct PendingShare<Suite: Ciphersuite>: ~Copyable, Sendable {
        private let share: KeyShare<Suite.Group>
        private let transcript: Transcript<Suite>
        private let signature: [UInt8]

        init(share: consuming KeyShare<Suite.Group>, transcript: Transcript<Suite>, signature: [UInt8]) {
            message = ParticipantMessage2<Suite>(signature: signature)
                .encoded(from: share.index, in: transcript.session)
            self.share = share
            self.transcript = transcript
            self.signature = signature
        }

        /// For the coordinator: this participant's signature of all that it has seen.
        public let message: [UInt8]

        /// The last step (ChillDKG `participant_finalize`): with the certificate of all signatures the share becomes active.
        ///
        /// If this fails, the session may have succeeded for others. Whoever has its recovery data can show that, and
        /// ``RecoveryData/share(hostKey:)`` gives the same share.
        ///
        /// - Parameter message: from the coordinator.
        /// - Throws: ``ThresholdError/keyGeneration(_:)`` with ``DKG/Fault/coordinator``.
        public consuming func activate(_ message: [UInt8]) throws(ThresholdError) -> Output<Suite> {
            let received: CoordinatorMessage2<Suite>
            do { received = try CoordinatorMessage2(decoding: message, in: transcript.session) } catch {
                throw .keyGeneration(.coordinator)
            }
            // The own signature needs no verification, if it is the one that was sent.
            guard received.signatures[share.index.value - 1] == signature,
                transcript.culprits(signatures: received.signatures, leavingOut: share.index).isEmpty
            else { throw .keyGeneration(.coordinator) }
            return Output(
                keyShare: share,
                recoveryData: RecoveryData(uncheckedTranscript: transcript, signatures: received.signatures))
        }
    }

    /// What a participant has in the end: its share, and what it can be made from again.
    public struct Output<Suite: Ciphersuite>: ~Copyable, Sendable {
        /// The share. Stays within this package: its type does not tell what the key is for.
        package let keyShare: KeyShare<Suite.Group>
        /// Public, and the same for all participants. Each should keep a copy.
        public let recoveryData: RecoveryData<Suite>

        package consuming func takeKeyShare() -> KeyShare<Suite.Group> { keyShare }
    }
}

extension DKG.Output where Suite: DKG.SchnorrCiphersuite {
    /// The share alone.
    public consuming func takeShare() -> KeyShare<Suite.Group> { takeKeyShare() }
}
