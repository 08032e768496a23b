public import Curves
public import Secrets
public import Threshold

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
    /// - Throws: `ThresholdError.wrongGroup` if the share is of another key, `ThresholdError.pairSetup(_:)` with
    ///   `PairSetupFault.foreignHostKey`, `ThresholdError.exhausted(_:)` if too many sessions are open.
    public init(
        _ session: ECDSA.PairSetup.Session, share: consuming ECDSA.UnpairedShare,
        hostKey: borrowing Sharing.HostKey<Sharing.ECDSA>, random: some RandomSource
    ) throws(ThresholdError) {
        try self.init(session, share: share.key, hostKey: hostKey, random: random)
    }
}

extension Sharing.Output where Suite == Sharing.ECDSA {
    /// Returns the share alone, for pairing; nil for a party that only dealt.
    public consuming func takeShare() -> ECDSA.UnpairedShare? {
        guard let share = takeKeyShare() else { return nil }
        return ECDSA.UnpairedShare(share)
    }
}

extension Sharing.RecoveryData where Suite == Sharing.ECDSA {
    /// Returns the new share of the receiver with this host key, for pairing.
    ///
    /// - Throws: `ThresholdError.sharing(_:)` with `Sharing.Fault.foreignHostKey` if it did not take part,
    ///   `Sharing.Fault.wrongRole` if it received nothing, or `Sharing.Fault.suspect(_:_:)` if it confirmed an
    ///   invalid transcript.
    public func share(hostKey: borrowing Sharing.HostKey<Sharing.ECDSA>) throws(ThresholdError) -> ECDSA.UnpairedShare {
        ECDSA.UnpairedShare(try keyShare(hostKey: hostKey))
    }
}
