/// The fields of one output of a PSBT.
public struct PSBTOutput: Equatable, Sendable {
    var map: KeyValueMap

    /// The claimed key before its output tweak: 32 bytes (BIP-371). It proves nothing.
    public var tapInternalKey: [UInt8]? { map[PSBTType.Output.tapInternalKey] }
    /// The claimed origins of taproot keys (BIP-371). They prove nothing.
    public var tapDerivations: [TaprootDerivation] {
        map.all(PSBTType.Output.tapDerivation).compactMap { TaprootDerivation(key: $0.data, value: $0.value) }
    }
    /// The claimed origins of ECDSA keys (BIP-174). They prove nothing.
    public var derivations: [KeyDerivation] {
        map.all(PSBTType.Output.derivation).compactMap { KeyDerivation(key: $0.data, value: $0.value) }
    }
    var claims: [KeyClaim] { tapDerivations.map(KeyClaim.taproot) + derivations.map(KeyClaim.ecdsa) }
}
