extension Sharing {
    /// The coordinator, which passes messages on. It knows no secret, and is not trusted.
    ///
    /// Each message comes with its sender, as the channel says. A participant may also be the coordinator.
    public struct Coordinator<Suite: Sharing.Ciphersuite>: Equatable, Sendable {
        /// The session that is coordinated.
        public let session: Session<Suite>
        /// The commitments of all dealers, for all parties.
        public let message: [UInt8]

        private let commitments: [[UInt8]]

        /// Combines the dealers' commitments, given by sender.
        ///
        /// - Parameter messages: the commitment of each dealer.
        /// - Throws: ``ThresholdError/sharing(_:)`` with ``Fault/missing(_:)``, ``Fault/unknown(_:)``, or
        ///   ``Fault/faulty(_:)`` with all parties whose message is invalid in this session.
        public init(session: Session<Suite>, commitments messages: [Party: [UInt8]]) throws(ThresholdError) {
            commitments = try session.decode(messages, from: session.dealing) { bytes, dealer throws(ThresholdError) in
                var reader = try MessageReader(bytes, .dealerCommitment, in: session, from: dealer)
                let commitment = try reader.bytes(32)
                try reader.finish()
                return commitment
            }
            message = CommitmentList<Suite>(commitments: commitments).encoded(in: session)
            self.session = session
        }

        /// Takes the dealers' openings, and checks all public parts.
        ///
        /// - Parameter messages: the opening of each dealer.
        /// - Throws: ``ThresholdError/sharing(_:)`` with ``Fault/missing(_:)``, ``Fault/unknown(_:)``,
        ///   ``Fault/faulty(_:)`` or ``Fault/suspect(_:_:)``.
        public func collect(openings messages: [Party: [UInt8]]) throws(ThresholdError) -> Dealings<Suite> {
            let openings = try session.decode(messages, from: session.dealing) { bytes, _ in bytes }
            for (dealer, (opening, commitment)) in zip(session.dealing, zip(openings, commitments)) {
                guard session.commitment(to: opening, from: dealer) == commitment else {
                    throw .sharing(.suspect(dealer, .commitment))
                }
            }
            return Dealings(transcript: try Transcript(session: session, openings: openings))
        }
    }

    /// The coordinator after all dealings.
    public struct Dealings<Suite: Sharing.Ciphersuite>: Equatable, Sendable {
        /// The openings of all dealers, for all parties.
        public let message: [UInt8]

        private let transcript: Transcript<Suite>

        init(transcript: Transcript<Suite>) {
            message = OpeningList<Suite>(openings: transcript.encodedOpenings).encoded(in: transcript.session)
            self.transcript = transcript
        }

        /// Collects the confirmations of all parties, dealers and receivers.
        ///
        /// - Throws: ``ThresholdError/sharing(_:)`` with ``Fault/missing(_:)``, ``Fault/unknown(_:)``, or
        ///   ``Fault/faulty(_:)`` with all parties that did not confirm this transcript.
        public func certify(_ messages: [Party: [UInt8]]) throws(ThresholdError) -> Certificate<Suite> {
            let session = transcript.session
            let confirmations = try session.decode(messages, from: session.parties[...]) {
                bytes, party throws(ThresholdError) in
                try Confirmation<Suite>(decoding: bytes, from: party, in: session)
            }
            let culprits = transcript.culprits(confirmations)
            guard culprits.isEmpty else { throw .sharing(.faulty(culprits)) }
            return Certificate(
                message: ConfirmationList(confirmations: confirmations).encoded(in: session),
                recoveryData: RecoveryData(uncheckedTranscript: transcript, confirmations: confirmations))
        }
    }

    /// The coordinator's result.
    public struct Certificate<Suite: Sharing.Ciphersuite>: Equatable, Sendable {
        /// The message for all parties, which activates the shares.
        public let message: [UInt8]
        /// The data from which each receiver can recover its share with its host key. Public.
        public let recoveryData: RecoveryData<Suite>
    }
}

extension Sharing.Session {
    /// Reads one message of each of these parties, in their order.
    func decode<Message>(
        _ messages: [Sharing.Party: [UInt8]], from senders: ArraySlice<Sharing.Party>,
        _ decode: ([UInt8], Sharing.Party) throws(ThresholdError) -> Message
    ) throws(ThresholdError) -> [Message] {
        if let stranger = messages.keys.sorted().first(where: { !senders.contains($0) }) {
            throw .sharing(.unknown(stranger))
        }
        var decoded: [Message] = []
        var culprits: [Sharing.Party] = []
        for sender in senders {
            guard let message = messages[sender] else { throw .sharing(.missing(sender)) }
            do { decoded.append(try decode(message, sender)) } catch { culprits.append(sender) }
        }
        guard culprits.isEmpty else { throw .sharing(.faulty(culprits)) }
        return decoded
    }
}
