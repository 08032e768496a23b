internal import Encoding
public import HDKeys

/// A PSBT's claim about a taproot key: its extended key and path (BIP-371). A claim proves nothing.
public struct TaprootDerivation: Equatable, Sendable {
    /// The key's x coordinate, 32 bytes.
    public let key: [UInt8]
    /// The number of leaves of the script tree that use the key; 0 for the internal key.
    public let leafCount: Int
    private let origin: KeyOrigin

    /// The fingerprint of the claimed extended key.
    public var fingerprint: KeyFingerprint { origin.fingerprint }
    /// The claimed path below that key.
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
