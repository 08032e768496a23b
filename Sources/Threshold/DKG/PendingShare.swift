internal import Curves

extension DKG {
    /// A participant after step 2: its share is right, but it does not know whether the others have theirs.
    ///
    /// The share cannot be taken out of this value: if another participant could not sign with the key, payments to it
    /// would be lost.
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

        /// The message for the coordinator: this participant's signature of the transcript.
        public let message: [UInt8]

        /// Takes the last step (ChillDKG `participant_finalize`): the certificate of all signatures activates the
        /// share.
        ///
        /// If this fails, the session may have succeeded for others. The recovery data of any of them proves it, and
        /// ``RecoveryData/share(hostKey:)`` gives the same share.
        ///
        /// - Parameter message: the coordinator's message.
        /// - Throws: ``ThresholdError/keyGeneration(_:)`` with ``DKG/Fault/coordinator``.
        public consuming func activate(_ message: [UInt8]) throws(ThresholdError) -> Output<Suite> {
            let received: CoordinatorMessage2<Suite>
            do { received = try CoordinatorMessage2(decoding: message, in: transcript.session) } catch {
                throw .keyGeneration(.coordinator)
            }
            // The participant's own signature needs no verification, if it is the one that was sent.
            guard received.signatures[share.index.value - 1] == signature,
                transcript.culprits(signatures: received.signatures, leavingOut: share.index).isEmpty
            else { throw .keyGeneration(.coordinator) }
            return Output(
                keyShare: share,
                recoveryData: RecoveryData(uncheckedTranscript: transcript, signatures: received.signatures))
        }
    }

    /// A participant's result: its share, and the data for its recovery.
    public struct Output<Suite: Ciphersuite>: ~Copyable, Sendable {
        /// The share. It stays within this package: its type does not name the key's purpose.
        package let keyShare: KeyShare<Suite.Group>
        /// The recovery data: public, and the same for all participants. Each should keep a copy.
        public let recoveryData: RecoveryData<Suite>

        package consuming func takeKeyShare() -> KeyShare<Suite.Group> { keyShare }
    }
}

extension DKG.Output where Suite: DKG.SchnorrCiphersuite {
    /// Returns the share alone.
    public consuming func takeShare() -> KeyShare<Suite.Group> { takeKeyShare() }
}
