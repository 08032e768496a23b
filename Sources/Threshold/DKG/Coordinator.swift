internal import Curves

extension DKG {
    /// The coordinator, which passes messages on and adds up parts of them. It knows no secret, and is not trusted.
    ///
    /// Each message comes with its sender, as the channel says. A participant may also be the coordinator.
    public struct Coordinator<Suite: Ciphersuite>: Equatable, Sendable {
        /// The session that is coordinated.
        public let session: Session<Suite>
        /// The message for all participants.
        public let message: [UInt8]

        private let received: [ParticipantMessage1<Suite>]
        private let transcript: Transcript<Suite>

        /// Step 1 (ChillDKG `coordinator_step1`).
        ///
        /// - Parameter messages: the first message of each participant.
        /// - Throws: ``ThresholdError/missingParticipant(_:)``, ``ThresholdError/unknownParticipant(_:)``, or
        ///   ``ThresholdError/faulty(culprits:)`` with all participants whose message is invalid in this session.
        public init(session: Session<Suite>, messages: [ParticipantIndex: [UInt8]]) throws(ThresholdError) {
            received = try session.decode(messages) { bytes, index throws(ThresholdError) in
                try ParticipantMessage1<Suite>(decoding: bytes, from: index, in: session)
            }
            let sum = CoordinatorMessage1(adding: received, in: session)
            transcript = sum.transcript(in: session)
            message = sum.encoded(in: session)
            self.session = session
        }

        /// Step 2 (ChillDKG `coordinator_finalize`): collects the signatures of all participants.
        ///
        /// - Parameter messages: the second message of each participant.
        /// - Throws: ``ThresholdError/missingParticipant(_:)``, ``ThresholdError/unknownParticipant(_:)``, or
        ///   ``ThresholdError/faulty(culprits:)`` with all participants that did not sign this session's transcript.
        public consuming func certify(
            _ messages: [ParticipantIndex: [UInt8]]
        ) throws(ThresholdError) -> Certificate<Suite> {
            let session = session
            let signatures = try session.decode(messages) { bytes, index throws(ThresholdError) in
                try ParticipantMessage2<Suite>(decoding: bytes, from: index, in: session).signature
            }
            let culprits = transcript.culprits(signatures: signatures)
            guard culprits.isEmpty else { throw .faulty(culprits: culprits) }
            return Certificate(
                message: CoordinatorMessage2<Suite>(signatures: signatures).encoded(in: session),
                recoveryData: RecoveryData(uncheckedTranscript: transcript, signatures: signatures))
        }

        /// Returns the message for a participant whose share is wrong (ChillDKG `coordinator_investigate`). It contains
        /// nothing secret.
        ///
        /// - Throws: ``ThresholdError/unknownParticipant(_:)``.
        public func investigation(for index: ParticipantIndex) throws(ThresholdError) -> [UInt8] {
            guard session.parameters.contains(index) else { throw .unknownParticipant(index) }
            return InvestigationMessage<Suite>(
                encryptedShares: received.map { $0.encryptedShares[index.value - 1] },
                publicShares: received.map { $0.commitment.share(of: index) }
            ).encoded(for: index, in: session)
        }
    }

    /// The coordinator's result.
    public struct Certificate<Suite: Ciphersuite>: Equatable, Sendable {
        /// The message for all participants, which activates their shares.
        public let message: [UInt8]
        /// The data from which each participant can recover its share with its host key. Public.
        public let recoveryData: RecoveryData<Suite>
    }
}

extension DKG.Session {
    /// Reads one message of each participant, in their order.
    ///
    /// - Throws: ``ThresholdError/missingParticipant(_:)``, ``ThresholdError/unknownParticipant(_:)``,
    ///   ``ThresholdError/faulty(culprits:)``.
    func decode<Message>(
        _ messages: [ParticipantIndex: [UInt8]],
        _ decode: ([UInt8], ParticipantIndex) throws(ThresholdError) -> Message
    ) throws(ThresholdError) -> [Message] {
        var decoded: [Message] = []
        var culprits: [ParticipantIndex] = []
        for (index, message) in try messages.ordered(from: parameters.indices) {
            do { decoded.append(try decode(message, index)) } catch { culprits.append(index) }
        }
        guard culprits.isEmpty else { throw .faulty(culprits: culprits) }
        return decoded
    }
}
