internal import Encoding
public import HDKeys

/// What a PSBT claims about a taproot key: whose it is, and at which path (BIP-371). Anyone may claim anything.
public struct TaprootDerivation: Equatable, Sendable {
    /// x coordinate, 32 bytes.
    public let key: [UInt8]
    /// How many leaves of the script tree use the key; 0 for the internal key.
    public let leafCount: Int
    private let origin: KeyOrigin

    /// Of the extended key that it is said to come from.
    public var fingerprint: KeyFingerprint { origin.fingerprint }
    /// The steps from there.
    public var path: DerivationPath { origin.path }

    init?(key: ArraySlice<UInt8>, value: [UInt8]) {
        guard key.count == 32, var reader = try? ByteReader(value, limit: value.count),
            let leafCount = try? reader.count(leastSize: 32), leafCount <= BitcoinLimits.taprootDepth,
            (try? reader.bytes(32 * leafCount)) != nil, let origin = KeyOrigin(value.suffix(reader.remaining))
        else { return nil }
        self.key = Array(key)
        self.leafCount = leafCount
        self.origin = origin
    }
}
