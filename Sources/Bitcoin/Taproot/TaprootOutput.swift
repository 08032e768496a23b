public import Curves
public import HDKeys

/// A taproot output: an internal key and its tweaked output key (BIP-341, constructing and spending taproot outputs).
public struct TaprootOutput: Equatable, Sendable {
    /// The x coordinate of the internal key, 32 bytes.
    public let internalKey: [UInt8]
    /// The x coordinate of the output key, 32 bytes.
    public let outputKey: [UInt8]
    /// t = hash_TapTweak(internal key, then the merkle root if there is one): output key = lift_x(internal key) + t·G.
    public let tweak: Scalar<Secp256k1>
    /// Whether the output point has an odd y coordinate; a script path's control block says so.
    public let hasOddY: Bool

    /// Creates the output for a key alone: the tweak commits to having no script tree, so a script path cannot be
    /// added.
    ///
    /// - Throws: `HDKeyError.badKey` for a key that has no output, which is less likely than 2⁻¹²⁷.
    public init(internalKey point: Secp256k1.Point) throws(HDKeyError) {
        try self.init(internalKey: point, merkleRoot: [])
    }

    /// - Parameter merkleRoot: the script tree's root, 32 bytes; nil without a tree.
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
