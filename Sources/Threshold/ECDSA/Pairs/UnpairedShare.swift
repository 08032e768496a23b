public import Curves
public import Secrets

extension ECDSA {
    /// One participant's share of an ECDSA key before pairing, which is its only use. The type names the key's purpose,
    /// so that the share cannot be used for Schnorr signatures.
    public struct UnpairedShare: ~Copyable, Sendable {
        /// The share itself. It stays within this package.
        package let key: Threshold.KeyShare<Secp256k1>

        package init(_ key: consuming Threshold.KeyShare<Secp256k1>) { self.key = key }

        /// The public half of the key.
        public var group: GroupKey<Secp256k1> { key.group }
        /// The participant that has the share.
        public var index: ParticipantIndex { key.index }
    }
}

extension ECDSA.PairSetup.Round1 {
    /// Begins the pairing of a share.
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
