internal import Secrets

extension Sharing {
    /// A party after step 3: everything that it has seen is right, but it does not know whether the others have seen
    /// the same.
    ///
    /// The share cannot be taken out of this value: if the others activated different shares, this one could not sign
    /// with them. The old share, if there is one, is still the valid one.
    public struct Pending<Suite: Sharing.Ciphersuite>: ~Copyable, Sendable {
        /// The message for the coordinator: this party's signature of the transcript.
        public let message: [UInt8]

        private let party: Party
        private let share: KeyShare<Suite.Group>?
        private let transcript: Transcript<Suite>
        private let confirmation: Confirmation<Suite>

        init(
            party: Party, share: consuming KeyShare<Suite.Group>?, transcript: Transcript<Suite>,
            hostKey: borrowing Sharing.HostKey<Suite>, random: some RandomSource
        ) throws(ThresholdError) {
            let proof: [UInt8]?
            switch share {
            case .none: proof = nil
            case .some(let share):
                proof = Suite.provePossession(
                    of: share.secret, publicKey: share.verificationShare, message: transcript.proofMessage(from: party),
                    auxiliary: SecretBytes(count: 32, from: random))
            }
            confirmation = Confirmation(
                signature: try transcript.sign(as: party, hostKey, auxiliary: SecretBytes(count: 32, from: random)),
                proof: proof)
            message = confirmation.encoded(from: party, in: transcript.session)
            self.party = party
            self.share = share
            self.transcript = transcript
        }

        /// Takes step 4: the certificate of all confirmations activates the share.
        ///
        /// If this fails, the session may have succeeded for others. The recovery data of any of them proves it, and
        /// `RecoveryData.share(hostKey:)` gives the same share.
        ///
        /// - Parameter message: the coordinator's message.
        /// - Throws: ``ThresholdError/sharing(_:)`` with ``Fault/coordinator``: the old share stays valid.
        public consuming func activate(_ message: [UInt8]) throws(ThresholdError) -> Output<Suite> {
            let list: ConfirmationList<Suite>
            do { list = try ConfirmationList(decoding: message, in: transcript.session) } catch {
                throw .sharing(.coordinator)
            }
            // The party's own confirmation needs no verification, if it is the one that was sent.
            guard list.confirmations[party.number - 1] == confirmation,
                transcript.culprits(list.confirmations, leavingOut: party).isEmpty
            else { throw .sharing(.coordinator) }
            return Output(
                keyShare: share,
                recoveryData: RecoveryData(uncheckedTranscript: transcript, confirmations: list.confirmations))
        }
    }

    /// A party's result: its share, if it receives one, and the data for the recovery of all shares.
    public struct Output<Suite: Sharing.Ciphersuite>: ~Copyable, Sendable {
        /// The share; nil for a party that only dealt. It stays within this package: its type does not name the key's
        /// purpose.
        package let keyShare: KeyShare<Suite.Group>?
        /// The recovery data: public, and the same for all parties. Each receiver should keep a copy.
        public let recoveryData: RecoveryData<Suite>

        package consuming func takeKeyShare() -> KeyShare<Suite.Group>? { keyShare }
    }
}

extension Sharing.Output where Suite: Sharing.SchnorrCiphersuite {
    /// Returns the share alone; nil for a party that only dealt.
    public consuming func takeShare() -> KeyShare<Suite.Group>? { takeKeyShare() }
}
