public import Curves
public import HDKeys

/// The output key that an internal key is tweaked to (BIP-341, constructing and spending taproot outputs).
public struct TaprootOutput: Equatable, Sendable {
    /// x coordinate of the internal key, 32 bytes.
    public let internalKey: [UInt8]
    /// x coordinate of the output key, 32 bytes.
    public let outputKey: [UInt8]
    /// t = hash_TapTweak(internal key, then the merkle root if there is one): output key = lift_x(internal key) + t·G.
    public let tweak: Scalar<Secp256k1>
    /// Whether the output point has an odd y coordinate; a script path's control block says so.
    public let hasOddY: Bool

    /// The output for a key alone: nobody can add a script path to it, because the tweak commits to there being none.
    ///
    /// - Throws: `HDKeyError.badKey` for a key that has no output, which is less likely than 2⁻¹²⁷.
    public init(internalKey point: Secp256k1.Point) throws(HDKeyError) {
        try self.init(internalKey: point, merkleRoot: [])
    }

    /// - Parameter merkleRoot: 32 bytes, or none.
    init(internalKey point: Secp256k1.Point, merkleRoot: [UInt8]) throws(HDKeyError) {
        guard !point.isIdentity else { throw .badKey }
        let even = point.hasEvenY ? point : -point
        internalKey = even.xOnly
        let hash = BIP340.taggedHash("TapTweak", internalKey, merkleRoot)
        guard let tweak = try? Scalar<Secp256k1>(canonical: hash) else { throw .badKey }
        let output = even + Secp256k1.Point.generator.multipliedVariableTime(by: tweak)
        guard !output.isIdentity else { throw .badKey }
        self.tweak = tweak
        outputKey = output.xOnly
        hasOddY = !output.hasEvenY
    }

    /// The script of an output that pays to it.
    public var scriptPubKey: ScriptPubKey { ScriptPubKey(.p2tr(outputKey: outputKey)) }
}
