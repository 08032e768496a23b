public import Curves
public import Secrets

extension ECDSA {
    /// One participant's share of an ECDSA key before the set-up of pairs, which is all that it is good for: its type says what
    /// the key is for, so that nobody makes Schnorr signatures with it.
    public struct UnpairedShare: ~Copyable, Sendable {
        /// The share itself. Stays within this package.
        package let key: Threshold.KeyShare<Secp256k1>

        package init(_ key: consuming Threshold.KeyShare<Secp256k1>) { self.key = key }

        /// What is public of the key.
        public var group: GroupKey<Secp256k1> { key.group }
        /// Whose share it is.
        public var index: ParticipantIndex { key.index }
    }
}

extension ECDSA.PairSetup.Round1 {
    /// Begins the set-up of the pairs of a share.
    ///
    /// - Throws: ``ThresholdError/wrongGroup`` if the share is of another key, ``ThresholdError/pairSetup(_:)`` with
    ///   ``ECDSA/PairSetup/Fault/foreignHostKey``, ``ThresholdError/exhausted(_:)`` if too many sessions are open.
    public init(
        _ session: ECDSA.PairSetup.Session, share: consuming ECDSA.UnpairedShare,
        hostKey: borrowing DKG.HostKey<DKG.ECDSA>, random: some RandomSource
    ) throws(ThresholdError) {
        try self.init(session, share: share.key, hostKey: hostKey, random: random)
    }
}
