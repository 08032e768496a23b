internal import Curves
internal import Secrets

extension Sharing {
    /// A party after step 3: all is right that it has seen, but nobody knows yet whether the others have seen the same.
    ///
    /// The share cannot be had from here: with other shares than these, others would go on with a key that this one cannot
    /// sign with. The old share, if there is one, is still the one to use.
    public struct Pending<Suite: DKG.Ciphersuite>: ~Copyable, Sendable {
        /// For the coordinator: this party's signature of all that it has seen.
        public let message: [UInt8]

        private let party: Party
        private let share: KeyShare<Suite.Group>?
        private let transcript: Transcript<Suite>
        private let confirmation: Confirmation<Suite>

        init(
            party: Party, share: consuming KeyShare<Suite.Group>?, transcript: Transcript<Suite>,
            hostKey: borrowing DKG.HostKey<Suite>, random: some RandomSource
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

        /// Step 4: with the certificate, what all have confirmed, the share becomes active.
        ///
        /// If this fails, the session may have succeeded for others. Whoever has its recovery data can show that, and
        /// `RecoveryData.share(hostKey:)` gives the same share.
        ///
        /// - Parameter message: from the coordinator.
        /// - Throws: ``ThresholdError/sharing(_:)`` with ``Fault/coordinator``: the old share stays the one to use.
        public consuming func activate(_ message: [UInt8]) throws(ThresholdError) -> Output<Suite> {
            let list: ConfirmationList<Suite>
            do { list = try ConfirmationList(decoding: message, in: transcript.session) } catch {
                throw .sharing(.coordinator)
            }
            // The own needs no verification, if it is the one that was sent.
            guard list.confirmations[party.number - 1] == confirmation,
                transcript.culprits(list.confirmations, leavingOut: party).isEmpty
            else { throw .sharing(.coordinator) }
            return Output(
                keyShare: share,
                recoveryData: RecoveryData(uncheckedTranscript: transcript, confirmations: list.confirmations))
        }
    }

    /// What a party has in the end: its share, if it receives one, and what all shares can be made from again.
    public struct Output<Suite: DKG.Ciphersuite>: ~Copyable, Sendable {
        /// The share; nothing for those who only dealt. Stays within this package: its type does not tell what the key is for.
        package let keyShare: KeyShare<Suite.Group>?
        /// Public, and the same for all parties. Each receiver should keep a copy.
        public let recoveryData: RecoveryData<Suite>

        package consuming func takeKeyShare() -> KeyShare<Suite.Group>? { keyShare }
    }
}

extension Sharing.Output where Suite: DKG.SchnorrCiphersuite {
    /// The share alone; nothing for those who only dealt.
    public consuming func takeShare() -> KeyShare<Suite.Group>? { takeKeyShare() }
}

extension Sharing.Output where Suite == DKG.ECDSA {
    /// The share alone, for the set-up of pairs; nothing for those who only dealt.
    public consuming func takeShare() -> ECDSA.UnpairedShare? {
        guard let share = takeKeyShare() else { return nil }
        return ECDSA.UnpairedShare(share)
    }
}
