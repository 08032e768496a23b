/// What a PSBT says about one output.
public struct PSBTOutput: Equatable, Sendable {
    var map: KeyValueMap

    public var tapInternalKey: [UInt8]? { map[PSBTType.Output.tapInternalKey] }
    public var tapDerivations: [TaprootDerivation] {
        map.all(PSBTType.Output.tapDerivation).compactMap { TaprootDerivation(key: $0.data, value: $0.value) }
    }
}
