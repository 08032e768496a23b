public import Curves
internal import Encoding

/// A public key with its chain code, from which child keys derive (BIP-32).
public struct ExtendedPublicKey: Equatable, Sendable {
    /// The number of steps from the master key, 0...255.
    public let depth: UInt8
    /// The fingerprint of the parent key; zeros for a master key.
    public let parentFingerprint: KeyFingerprint
    /// The number of the last step; the highest bit means that it was hardened.
    public let childNumber: UInt32
    /// The chain code, 32 bytes.
    public let chainCode: [UInt8]
    /// The public key, never the identity.
    public let point: Secp256k1.Point

    /// Creates the extended key of an aggregate key (BIP-328: the chain code is the same for all such keys).
    package init(aggregate point: Secp256k1.Point) {
        precondition(!point.isIdentity, "no one holds the identity")
        self.init(
            depth: 0, parentFingerprint: .none, childNumber: 0, chainCode: Self.aggregateChainCode, point: point)
    }

    /// Creates the extended key of a Schnorr group key: BIP-328's, for the point with even y. Verifiers know no other,
    /// and 32 bytes suffice to make it.
    public init(group point: Secp256k1.Point) {
        self.init(aggregate: point.hasEvenY ? point : -point)
    }

    init(
        depth: UInt8, parentFingerprint: KeyFingerprint, childNumber: UInt32, chainCode: [UInt8], point: Secp256k1.Point
    ) {
        self.depth = depth
        self.parentFingerprint = parentFingerprint
        self.childNumber = childNumber
        self.chainCode = chainCode
        self.point = point
    }

    /// BIP-328: the SHA-256 of `MuSig2MuSig2MuSig2`.
    private static let aggregateChainCode = SHA256.hash(Array("MuSig2MuSig2MuSig2".utf8))

    /// The first four bytes of the key's short hash (BIP-32).
    public var fingerprint: KeyFingerprint { KeyFingerprint(of: point) }

    // MARK: - Derivation

    /// Returns the child of this index, and the tweak that was added to the key (CKDpub).
    ///
    /// - Parameter index: 0..<2³¹.
    /// - Returns: the child, and the scalar t for which child = key + t·G.
    /// - Throws: ``HDKeyError/badPath`` for a hardened index or at depth 255; ``HDKeyError/badKey`` if this index has
    ///   no child, which is less likely than 2⁻¹²⁷.
    package func child(_ index: UInt32) throws(HDKeyError) -> (key: ExtendedPublicKey, tweak: Scalar<Secp256k1>) {
        try PublicParent(self).child(index)
    }
}

// MARK: - Text

extension ExtendedPublicKey {
    static let encodedSize = 78

    /// Returns `xpub…` on mainnet, `tpub…` on all others.
    public func text(on network: Network) -> String {
        var writer = ByteWriter(reserving: Self.encodedSize)
        writer.bigEndian(network.extendedKeyVersion)
        writer.append(depth)
        writer.append(parentFingerprint.bytes)
        writer.bigEndian(childNumber)
        writer.append(chainCode)
        writer.append(point.encoded)
        return Base58Check.encode(writer.bytes)
    }

    /// Reads `xpub…` or `tpub…`.
    ///
    /// - Throws: ``HDKeyError/malformed(_:)``; ``HDKeyError/wrongNetwork``; ``HDKeyError/otherScripts(_:)`` for `zpub…` and
    ///   others of its kind, which ``ScriptPrefix`` reads; ``HDKeyError/badKey`` for a private key, a point that is not
    ///   on the curve, and a key without parent that names one.
    public init(_ text: String, on network: Network) throws(HDKeyError) {
        let bytes: [UInt8]
        do { bytes = try Base58Check.decode(text, limit: Self.encodedSize) } catch { throw .malformed(error) }
        let (key, version) = try Self.parse(bytes)
        guard version == network.extendedKeyVersion else { throw .wrongNetwork }
        self = key
    }

    /// Parses the 78 bytes of any network's extended public key, as in a PSBT.
    package static func parse(_ bytes: [UInt8]) throws(HDKeyError) -> (key: ExtendedPublicKey, version: UInt32) {
        do {
            var reader = try ByteReader(bytes, limit: encodedSize)
            let version = try reader.bigEndian(UInt32.self)
            if let scripts = ScriptPrefix(version: version) { throw HDKeyError.otherScripts(scripts) }
            guard Network.allCases.contains(where: { $0.extendedKeyVersion == version }) else {
                throw HDKeyError.badKey
            }
            let depth = try reader.uint8()
            let parent = KeyFingerprint(fourBytes: Array(try reader.bytes(4)))
            let childNumber = try reader.bigEndian(UInt32.self)
            let chainCode = Array(try reader.bytes(32))
            guard let point = try? Secp256k1.Point(encoded: try reader.bytes(33)) else { throw HDKeyError.badKey }
            try reader.finish()
            guard depth > 0 || (parent == .none && childNumber == 0) else { throw HDKeyError.badKey }
            let key = ExtendedPublicKey(
                depth: depth, parentFingerprint: parent, childNumber: childNumber, chainCode: chainCode, point: point)
            return (key, version)
        } catch let error as EncodingError {
            throw .malformed(error)
        } catch let error as HDKeyError {
            throw error
        } catch {
            throw .badKey
        }
    }
}
