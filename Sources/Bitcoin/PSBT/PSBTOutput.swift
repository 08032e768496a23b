/// What a PSBT says about one output.
public struct PSBTOutput: Equatable, Sendable {
    var map: KeyValueMap

    /// The key before its output tweak: 32 bytes (BIP-371). A claim, not a fact.
    public var tapInternalKey: [UInt8]? { map[PSBTType.Output.tapInternalKey] }
    /// Where the keys are said to come from (BIP-371). Claims, not facts.
    public var tapDerivations: [TaprootDerivation] {
        map.all(PSBTType.Output.tapDerivation).compactMap { TaprootDerivation(key: $0.data, value: $0.value) }
    }
    /// Where keys that sign by ECDSA are said to come from (BIP-174). Claims, not facts.
    public var derivations: [KeyDerivation] {
        map.all(PSBTType.Output.derivation).compactMap { KeyDerivation(key: $0.data, value: $0.value) }
    }
    var claims: [KeyClaim] { tapDerivations.map(KeyClaim.taproot) + derivations.map(KeyClaim.ecdsa) }
}
