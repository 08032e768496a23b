public import Secrets

extension Sharing {
    /// A party after step 1: a dealer has committed to its dealing, and opens it only after all dealers have committed.
    public struct Committed<Suite: Sharing.Ciphersuite>: ~Copyable, Sendable {
        /// The session that this step belongs to.
        public let session: Session<Suite>
        /// The party in the session.
        public let party: Party
        /// The message for the coordinator; nil for a party that does not deal.
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

        /// Takes step 2: takes the commitments of all dealers, and opens this dealer's own.
        ///
        /// - Parameter message: the coordinator's message.
        /// - Throws: ``ThresholdError/sharing(_:)`` with ``Fault/coordinator`` if it is invalid, or does not contain
        ///   this dealer's own commitment.
        public consuming func open(_ message: [UInt8]) throws(ThresholdError) -> Opened<Suite> {
            let list: CommitmentList<Suite>
            do { list = try CommitmentList(decoding: message, in: session) } catch { throw .sharing(.coordinator) }
            if let commitment, list.commitments[party.number - 1] != commitment { throw .sharing(.coordinator) }
            return Opened(session: session, party: party, commitments: list.commitments, message: opening)
        }
    }

    /// A party after step 2: a dealer has dealt, and all wait for the others' dealings.
    public struct Opened<Suite: Sharing.Ciphersuite>: ~Copyable, Sendable {
        /// The session that this step belongs to.
        public let session: Session<Suite>
        /// The party in the session.
        public let party: Party
        /// The message for the coordinator; nil for a party that does not deal. It contains nothing secret, since the
        /// shares in it are encrypted.
        public let message: [UInt8]?

        private let commitments: [[UInt8]]

        init(session: Session<Suite>, party: Party, commitments: [[UInt8]], message: [UInt8]?) {
            self.session = session
            self.party = party
            self.commitments = commitments
            self.message = message
        }

        /// Takes step 3: checks all dealings, and signs them.
        ///
        /// After the resulting message was sent, the session may succeed for others, whatever happens to this
        /// participant: keep the host key. Old shares stay valid until all have the new ones.
        ///
        /// - Parameter message: the coordinator's message.
        /// - Throws: ``ThresholdError/sharing(_:)`` with ``Fault/foreignHostKey``, ``Fault/coordinator`` or
        ///   ``Fault/suspect(_:_:)``, which names the dealer, or the coordinator makes it look so.
        public consuming func receive(
            _ message: [UInt8], hostKey: borrowing Sharing.HostKey<Suite>, random: some RandomSource
        ) throws(ThresholdError) -> Pending<Suite> {
            guard hostKey.publicKey == session.member(party).hostKey else { throw .sharing(.foreignHostKey) }
            let list: OpeningList<Suite>
            do { list = try OpeningList(decoding: message, in: session) } catch { throw .sharing(.coordinator) }
            // The coordinator has passed on this dealer's own opening.
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
