public import Curves
public import Threshold

extension ECDSA {
    /// Pairing: each two participants of a key make the data with which they sign together, after the key was made or
    /// its shares renewed.
    ///
    /// Each two participants exchange four messages, sealed for the recipient, so that a coordinator that passes them
    /// on can neither read nor change them, nor make one participant look guilty to another. Then all sign what they
    /// saw, and nothing comes out before all have.
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
    /// If anything fails, the pairing is dropped as a whole, and can be run again with the same share.
    public enum PairSetup {}
}

extension ECDSA.PairSetup {
    /// The participants and shares of a pairing. Public; all participants construct the same value.
    public struct Session: Equatable, Sendable {
        /// The key.
        public let group: GroupKey<Secp256k1>
        /// The epoch of the shares.
        public let epoch: Int
        /// The identity of the pairing, which covers all of its inputs (sid).
        let hash: [UInt8]
        private let hostKeys: [Secp256k1.Point]

        /// Creates the session in which all pairs are made.
        ///
        /// - Parameters:
        ///   - group: the key.
        ///   - epoch: the epoch of the shares.
        ///   - identifier: 32 bytes that identify the session in which the key was made or the shares were renewed.
        ///   - hostKeys: the encoded public host key of participant i, at i - 1.
        /// - Throws: `ThresholdError.invalidParameters`, or `ThresholdError.pairSetup(_:)` with
        ///   `PairSetupFault.invalidHostKey(of:)` or `PairSetupFault.duplicateHostKey(of:and:)`.
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
            hash = ECDSA.TaggedHash.hash(
                "pair set-up session", identifier, group.fingerprint, ECDSA.bytes(of: epoch), hostKeys.flatMap { $0 })
        }

        func hostKey(of index: ParticipantIndex) -> Secp256k1.Point { hostKeys[index.value - 1] }

        /// Returns all participants but one, ascending.
        func peers(of index: ParticipantIndex) -> [ParticipantIndex] { group.parameters.indices.filter { $0 != index } }

        /// Returns whether the first of two participants is the base sender (A): it is towards the half of the others
        /// that follow it cyclically.
        func isBaseSender(_ index: ParticipantIndex, towards peer: ParticipantIndex) -> Bool {
            let total = group.parameters.total
            let distance = (peer.value - index.value + total) % total
            return 2 * distance < total || (2 * distance == total && index < peer)
        }
    }
}
