public import Curves
public import Threshold
public import ThresholdECDSA

/// One participant's shares of a wallet's keys, one for each purpose.
public struct KeyShares: ~Copyable, Sendable {
    /// The share of the key for BIP-340.
    public let schnorr: KeyShare<Secp256k1>
    /// The share of the ECDSA key, with the pairs with the other participants. A ban changes it.
    public package(set) var ecdsa: ECDSA.KeyShare
    /// The share of the key for Ed25519.
    public let ed25519: KeyShare<Ed25519>
    /// The public halves of the keys.
    public let groups: GroupKeys

    /// - Throws: ``CeremonyError/threshold(_:)`` with ``ThresholdError/inconsistentKey`` if they belong to different
    ///   participants.
    package init(
        schnorr: consuming KeyShare<Secp256k1>, ecdsa: consuming ECDSA.KeyShare,
        ed25519: consuming KeyShare<Ed25519>
    ) throws(CeremonyError) {
        let groups = try GroupKeys(schnorr: schnorr.group, ecdsa: ecdsa.group, ed25519: ed25519.group)
        guard schnorr.index == ecdsa.index, schnorr.index == ed25519.index else {
            throw .threshold(.inconsistentKey)
        }
        self.schnorr = schnorr
        self.ecdsa = ecdsa
        self.ed25519 = ed25519
        self.groups = groups
    }

    /// The participant's index, the same for all keys.
    public var index: ParticipantIndex { schnorr.index }
}
