public import Curves

extension ECDSA {
    /// How all participants of a key come to what each two need to sign together; after the key was made, or its shares renewed.
    ///
    /// Four messages for each two participants, sealed for the recipient, so that a coordinator who passes them on can neither
    /// read nor change them, nor make one participant look guilty to another. Then all sign what they saw. Nothing comes out
    /// before all have.
    ///
    /// ```swift
    /// let session = try ECDSA.PairSetup.Session(group: group, epoch: 0, identifier: identifier, hostKeys: hostKeys)
    /// // Each participant: `messages` of each round are for the recipients named in them.
    /// let round1 = try ECDSA.PairSetup.Round1(session, share: share, hostKey: hostKey, random: SystemRandom())
    /// let round2 = try round1.receive(messagesBySender, random: SystemRandom())
    /// let round3 = try round2.receive(messagesBySender, random: SystemRandom())
    /// let round4 = try round3.receive(messagesBySender, random: SystemRandom())
    /// let pending = try round4.receive(messagesBySender, hostKey: hostKey, random: SystemRandom())
    /// // The coordinator: sends the certificate to all.
    /// let certificate = try session.certify(messagesBySender)
    /// // Each participant: only now there is a share to sign with.
    /// let share = try pending.activate(certificate)
    /// ```
    ///
    /// Whatever fails, the set-up is dropped as a whole, and can be run anew, with the same share.
    public enum PairSetup {
        /// What stops the set-up, beside what stops any protocol of this module.
        public enum Fault: Equatable, Sendable {
            /// The host key of this participant is no key.
            case invalidHostKey(of: ParticipantIndex)
            /// Two participants have the same host key.
            case duplicateHostKey(of: ParticipantIndex, and: ParticipantIndex)
            /// The secret host key is not that of the share's owner in this session.
            case foreignHostKey
            /// These two confirm different messages between them. One of them is faulty, and nobody can tell which.
            case mismatch(between: ParticipantIndex, and: ParticipantIndex)
            /// The coordinator sent what is no certificate of this set-up.
            case coordinator
        }
    }
}

extension ECDSA.PairSetup {
    /// Who takes part in a set-up, and for which shares. Public; all who take part make the same.
    public struct Session: Equatable, Sendable {
        /// The key.
        public let group: GroupKey<Secp256k1>
        /// How often its shares were renewed.
        public let epoch: Int
        /// Names the set-up with all of its inputs (sid).
        let hash: [UInt8]
        private let hostKeys: [Secp256k1.Point]

        /// Creates the session in which all pairs of holders are set up.
        ///
        /// - Parameters:
        ///   - epoch: how often the shares were renewed.
        ///   - identifier: 32 bytes that name the session in which the key was made or the shares were renewed.
        ///   - hostKeys: the encoded public host key of participant i at i - 1.
        /// - Throws: ``ThresholdError/invalidParameters``, or ``ThresholdError/pairSetup(_:)`` with
        ///   ``Fault/invalidHostKey(of:)`` or ``Fault/duplicateHostKey(of:and:)``.
        public init(
            group: GroupKey<Secp256k1>, epoch: Int, identifier: [UInt8], hostKeys: [[UInt8]]
        ) throws(ThresholdError) {
            guard identifier.count == 32, hostKeys.count == group.parameters.total, UInt32(exactly: epoch) != nil else {
                throw .invalidParameters
            }
            var points: [Secp256k1.Point] = []
            for (index, encoded) in zip(group.parameters.indices, hostKeys) {
                guard let point = try? Secp256k1.Point(encoded: encoded) else {
                    throw .pairSetup(.invalidHostKey(of: index))
                }
                if let other = points.firstIndex(of: point) {
                    throw .pairSetup(.duplicateHostKey(of: group.parameters.indices[other], and: index))
                }
                points.append(point)
            }
            self.group = group
            self.epoch = epoch
            self.hostKeys = points
            hash = ECDSA.Oracle.hash(
                "pair set-up session", identifier, group.fingerprint, ECDSA.bytes(of: epoch), hostKeys.flatMap { $0 })
        }

        func hostKey(of index: ParticipantIndex) -> Secp256k1.Point { hostKeys[index.value - 1] }

        /// All but one, ascending.
        func peers(of index: ParticipantIndex) -> [ParticipantIndex] { group.parameters.indices.filter { $0 != index } }

        /// Whether of two participants the first is the base sender (A): the half of the others that come next, going round.
        func isBaseSender(_ index: ParticipantIndex, towards peer: ParticipantIndex) -> Bool {
            let total = group.parameters.total
            let distance = (peer.value - index.value + total) % total
            return 2 * distance < total || (2 * distance == total && index < peer)
        }
    }
}
