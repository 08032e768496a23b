internal import Curves
internal import Secrets
public import Threshold

extension ECDSA.PairSetup {
    /// A participant's signed digests of all its pairs.
    struct Confirmation: Equatable, Sendable {
        /// The digest of the pair with each peer, ascending by peer.
        let digests: [[UInt8]]
        let signature: [UInt8]

        init(
            signing digests: [[UInt8]], as index: ParticipantIndex, in session: Session,
            hostKey: borrowing Sharing.HostKey<Sharing.ECDSA>, random: some RandomSource
        ) throws(ThresholdError) {
            self.digests = digests
            do {
                signature = try Sharing.ECDSA.sign(
                    Self.message(digests, from: index, in: session), hostKey: hostKey.secret,
                    auxiliary: SecretBytes(count: 32, from: random))
            } catch { throw .invalidElement }
        }

        private static func message(_ digests: [[UInt8]], from index: ParticipantIndex, in session: Session) -> [UInt8]
        {
            Sharing.ECDSA.message("pair set-up", from: index, session.hash + digests.flatMap { $0 })
        }

        func isSigned(by index: ParticipantIndex, in session: Session) -> Bool {
            Sharing.ECDSA.isValid(
                signature: signature, message: Self.message(digests, from: index, in: session),
                hostKey: session.hostKey(of: index))
        }

        /// Encodes header, session, index, digests, signature.
        func encoded(from index: ParticipantIndex, in session: Session) -> [UInt8] {
            var writer = MessageWriter<Secp256k1>(kind: .setupConfirmation, reserving: 640)
            writer.bytes(session.hash)
            writer.index(index)
            write(to: &writer)
            return writer.bytes
        }

        fileprivate func write(to writer: inout MessageWriter<Secp256k1>) {
            for digest in digests { writer.bytes(digest) }
            writer.bytes(signature)
        }

        /// - Throws: `ThresholdError.malformed(_:)`, `ThresholdError.disagreement(with:)` for another session,
        ///   `ThresholdError.unauthentic(from:)` for another sender.
        init(decoding bytes: [UInt8], from index: ParticipantIndex, in session: Session) throws(ThresholdError) {
            var reader = try MessageReader<Secp256k1>(bytes, kind: .setupConfirmation)
            guard try reader.bytes(32) == session.hash else { throw .disagreement(with: index) }
            guard try reader.index() == index else { throw .unauthentic(from: index) }
            try self.init(from: &reader, in: session)
            try reader.finish()
        }

        fileprivate init(from reader: inout MessageReader<Secp256k1>, in session: Session) throws(ThresholdError) {
            var digests: [[UInt8]] = []
            for _ in 1..<session.group.parameters.total { digests.append(try reader.bytes(SHA256.size)) }
            self.digests = digests
            signature = try reader.bytes(Sharing.ECDSA.signatureSize)
        }
    }

    /// The confirmations of all participants: that of participant i is at i - 1.
    struct Certificate: Equatable, Sendable {
        let confirmations: [Confirmation]

        init(_ confirmations: [Confirmation]) { self.confirmations = confirmations }

        /// Encodes header, session, then digests and signature of each participant.
        func encoded(in session: Session) -> [UInt8] {
            var writer = MessageWriter<Secp256k1>(kind: .setupCertificate, reserving: 8_192)
            writer.bytes(session.hash)
            for confirmation in confirmations { confirmation.write(to: &writer) }
            return writer.bytes
        }

        /// - Throws: `ThresholdError.malformed(_:)`, or `ThresholdError.pairSetup(_:)` with `PairSetupFault.coordinator`.
        init(decoding bytes: [UInt8], in session: Session) throws(ThresholdError) {
            var reader = try MessageReader<Secp256k1>(bytes, kind: .setupCertificate)
            guard try reader.bytes(32) == session.hash else { throw .pairSetup(.coordinator) }
            var confirmations: [Confirmation] = []
            for _ in session.group.parameters.indices {
                confirmations.append(try Confirmation(from: &reader, in: session))
            }
            try reader.finish()
            self.confirmations = confirmations
        }

        /// Returns the participants whose signature is invalid, ascending.
        func culprits(in session: Session) -> [ParticipantIndex] {
            zip(session.group.parameters.indices, confirmations).filter { !$1.isSigned(by: $0, in: session) }.map(\.0)
        }

        /// Returns the digest that the participant confirms for its pair with the peer.
        private func digest(of index: ParticipantIndex, with peer: ParticipantIndex) -> [UInt8] {
            confirmations[index.value - 1].digests[peer.value - (peer < index ? 1 : 2)]
        }

        /// Returns the identity of the pairing, after checking that each two participants confirm the same of their
        /// pair.
        ///
        /// - Throws: `ThresholdError.pairSetup(_:)` with `PairSetupFault.mismatch(between:and:)`.
        func setup(in session: Session) throws(ThresholdError) -> [UInt8] {
            let indices = session.group.parameters.indices
            var digests: [UInt8] = []
            for one in indices {
                for other in indices where one < other {
                    let digest = digest(of: one, with: other)
                    guard digest == self.digest(of: other, with: one) else {
                        throw .pairSetup(.mismatch(between: one, and: other))
                    }
                    digests += digest
                }
            }
            return ECDSA.TaggedHash.hash("pair set-up", session.hash, digests)
        }
    }
}

extension ECDSA.PairSetup.Session {
    /// Makes the certificate of all confirmations, which the coordinator sends to all participants.
    ///
    /// - Parameter messages: the confirmation of each participant.
    /// - Throws: `ThresholdError.missingParticipant(_:)`, `ThresholdError.unknownParticipant(_:)`;
    ///   `ThresholdError.faulty(culprits:)` with all participants whose confirmation is invalid;
    ///   `ThresholdError.pairSetup(_:)` with `PairSetupFault.mismatch(between:and:)`.
    public func certify(_ messages: [ParticipantIndex: [UInt8]]) throws(ThresholdError) -> [UInt8] {
        var confirmations: [ECDSA.PairSetup.Confirmation] = []
        var culprits: [ParticipantIndex] = []
        for (index, message) in try messages.ordered(from: group.parameters.indices) {
            let confirmation = try? ECDSA.PairSetup.Confirmation(decoding: message, from: index, in: self)
            guard let confirmation, confirmation.isSigned(by: index, in: self) else {
                culprits.append(index)
                continue
            }
            confirmations.append(confirmation)
        }
        guard culprits.isEmpty else { throw .faulty(culprits: culprits) }
        let certificate = ECDSA.PairSetup.Certificate(confirmations)
        _ = try certificate.setup(in: self)
        return certificate.encoded(in: self)
    }
}
