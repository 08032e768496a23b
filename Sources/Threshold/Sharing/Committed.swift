public import Secrets

extension Sharing {
    /// A party after step 1: a dealer has committed to what it deals, and shows it to nobody before all have committed.
    public struct Committed<Suite: DKG.Ciphersuite>: ~Copyable, Sendable {
        /// The session that this step belongs to.
        public let session: Session<Suite>
        /// Who this is in the session.
        public let party: Party
        /// For the coordinator, from dealers only.
        public let message: [UInt8]?

        private let opening: [UInt8]?
        private let commitment: [UInt8]?

        init(session: Session<Suite>, party: Party, opening: Opening<Suite>?) {
            self.session = session
            self.party = party
            self.opening = opening?.encoded(from: party, in: session)
            commitment = self.opening.map { session.commitment(to: $0, from: party) }
            message = commitment.map { commitment in
                var writer = MessageWriter(.dealerCommitment, in: session, from: party)
                writer.bytes(commitment)
                return writer.bytes
            }
        }

        /// Step 2: takes the commitments of all dealers, and opens the own.
        ///
        /// - Parameter message: from the coordinator.
        /// - Throws: ``ThresholdError/sharing(_:)`` with ``Fault/coordinator`` if it is none, or the own commitment is not
        ///   in it as it was sent.
        public consuming func open(_ message: [UInt8]) throws(ThresholdError) -> Opened<Suite> {
            let list: CommitmentList<Suite>
            do { list = try CommitmentList(decoding: message, in: session) } catch { throw .sharing(.coordinator) }
            if let commitment, list.commitments[party.number - 1] != commitment { throw .sharing(.coordinator) }
            return Opened(session: session, party: party, commitments: list.commitments, message: opening)
        }
    }

    /// A party after step 2: a dealer has dealt, and all await what the others deal.
    public struct Opened<Suite: DKG.Ciphersuite>: ~Copyable, Sendable {
        /// The session that this step belongs to.
        public let session: Session<Suite>
        /// Who this is in the session.
        public let party: Party
        /// For the coordinator, from dealers only. Says nothing secret, since the shares in it are encrypted.
        public let message: [UInt8]?

        private let commitments: [[UInt8]]

        init(session: Session<Suite>, party: Party, commitments: [[UInt8]], message: [UInt8]?) {
            self.session = session
            self.party = party
            self.commitments = commitments
            self.message = message
        }

        /// Step 3: checks what all have dealt, and signs it.
        ///
        /// After the message of the result was sent, the session may succeed for others, whatever this participant sees of
        /// it: keep the host key. Old shares stay valid until all have the new ones.
        ///
        /// - Parameter message: from the coordinator.
        /// - Throws: ``ThresholdError/sharing(_:)`` with ``Fault/foreignHostKey``, ``Fault/coordinator`` or
        ///   ``Fault/suspect(_:_:)``, which says whom to leave out of the next try.
        public consuming func receive(
            _ message: [UInt8], hostKey: borrowing DKG.HostKey<Suite>, random: some RandomSource
        ) throws(ThresholdError) -> Pending<Suite> {
            guard hostKey.publicKey == session.member(party).hostKey else { throw .sharing(.foreignHostKey) }
            let list: OpeningList<Suite>
            do { list = try OpeningList(decoding: message, in: session) } catch { throw .sharing(.coordinator) }
            // The coordinator has passed on what this dealer sent.
            if let own = self.message, list.openings[party.number - 1] != own { throw .sharing(.coordinator) }
            for (dealer, (opening, commitment)) in zip(session.dealing, zip(list.openings, commitments)) {
                guard session.commitment(to: opening, from: dealer) == commitment else {
                    throw .sharing(.suspect(dealer, .commitment))
                }
            }
            let transcript = try Transcript(session: session, openings: list.openings, trusting: party)
            let share = try party.receiver.map { index throws(ThresholdError) in
                try transcript.share(of: index, hostKey)
            }
            return try Pending(party: party, share: share, transcript: transcript, hostKey: hostKey, random: random)
        }
    }
}
