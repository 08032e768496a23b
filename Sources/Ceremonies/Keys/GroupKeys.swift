public import Curves
public import Threshold

/// The public halves of a wallet's keys, one for each purpose, all for the same participants.
public struct GroupKeys: Equatable, Sendable {
    /// The group that signs with BIP-340 on Bitcoin.
    public let schnorr: GroupKey<Secp256k1>
    /// The group that signs with ECDSA on Bitcoin and Ethereum.
    public let ecdsa: GroupKey<Secp256k1>
    /// The group that signs with Ed25519.
    public let ed25519: GroupKey<Ed25519>

    /// Creates the public parts of the three groups.
    ///
    /// - Throws: ``CeremonyError/threshold(_:)`` with `ThresholdError.inconsistentKey` if their numbers of participants
    ///   differ, or two of them are one key: a share must never sign for two purposes.
    public init(
        schnorr: GroupKey<Secp256k1>, ecdsa: GroupKey<Secp256k1>, ed25519: GroupKey<Ed25519>
    ) throws(CeremonyError) {
        guard schnorr.parameters == ecdsa.parameters, schnorr.parameters == ed25519.parameters,
            schnorr.publicKey != ecdsa.publicKey, schnorr.publicKey != -ecdsa.publicKey
        else { throw .threshold(.inconsistentKey) }
        self.schnorr = schnorr
        self.ecdsa = ecdsa
        self.ed25519 = ed25519
    }

    /// The threshold and the number of participants.
    public var parameters: ThresholdParameters { schnorr.parameters }

    /// Returns whether both have the same keys, whatever the shares are.
    package func isSameKeys(as other: GroupKeys) -> Bool {
        schnorr.publicKey == other.schnorr.publicKey && ecdsa.publicKey == other.ecdsa.publicKey
            && ed25519.publicKey == other.ed25519.publicKey
    }

    /// Each key's public key, encoded.
    package var publicKeys: PerWalletKey<[UInt8]> {
        PerWalletKey(
            schnorr: schnorr.publicKey.encoded, ecdsa: ecdsa.publicKey.encoded, ed25519: ed25519.publicKey.encoded)
    }

    /// Each key with the public parts of its present shares, encoded.
    package var encoded: PerWalletKey<[UInt8]> {
        PerWalletKey(schnorr: schnorr.encoded, ecdsa: ecdsa.encoded, ed25519: ed25519.encoded)
    }

    /// - Throws: ``CeremonyError/threshold(_:)``.
    package init(decoding encoded: PerWalletKey<[UInt8]>) throws(CeremonyError) {
        let schnorr: GroupKey<Secp256k1>
        let ecdsa: GroupKey<Secp256k1>
        let ed25519: GroupKey<Ed25519>
        do throws(ThresholdError) {
            schnorr = try GroupKey(decoding: encoded.schnorr)
            ecdsa = try GroupKey(decoding: encoded.ecdsa)
            ed25519 = try GroupKey(decoding: encoded.ed25519)
        } catch { throw .threshold(error) }
        try self.init(schnorr: schnorr, ecdsa: ecdsa, ed25519: ed25519)
    }
}
