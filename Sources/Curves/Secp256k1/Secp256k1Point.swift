internal import CSecp256k1
public import Secrets

extension Secp256k1 {
    /// A point of secp256k1.
    public struct Point: CurvePoint {
        public typealias Group = Secp256k1

        /// The library's form of the point; it has none for the identity.
        let key: secp256k1_pubkey?

        init(_ key: secp256k1_pubkey?) {
            self.key = key
        }

        public static let identity = Point(nil)
        public static let generator = Point(generatorTimes: [UInt8](repeating: 0, count: 31) + [1])

        /// The generator times a scalar of 32 bytes, in constant time but for zero.
        init(generatorTimes scalar: UnsafeRawBufferPointer) {
            precondition(scalar.count == scalarSize, "a scalar has \(scalarSize) bytes")
            var key = secp256k1_pubkey()
            // The library refuses zero, and what is not below the order, which no scalar is.
            let result = secp256k1_ec_pubkey_create(
                Context.shared.pointer, &key, scalar.start)
            self.key = result == 1 ? key : nil
        }

        private init(generatorTimes scalar: [UInt8]) {
            self = scalar.withUnsafeBytes { Point(generatorTimes: $0) }
        }

        public init(encoded bytes: some Collection<UInt8>) throws(CurvesError) {
            guard bytes.count == pointSize else { throw .wrongSize(expected: pointSize, got: bytes.count) }
            var key = secp256k1_pubkey()
            // A compressed point has one form: y's parity as 2 or 3, and x below the field's order.
            guard secp256k1_ec_pubkey_parse(Context.shared.pointer, &key, Array(bytes), pointSize) == 1 else {
                throw .invalidPoint
            }
            self.key = key
        }

        public var encoded: [UInt8] {
            guard var key else { preconditionFailure("the identity has no encoding") }
            var bytes = [UInt8](repeating: 0, count: pointSize)
            var size = pointSize
            secp256k1_ec_pubkey_serialize(
                Context.shared.pointer, &bytes, &size, &key, UInt32(SECP256K1_EC_COMPRESSED))
            return bytes
        }

        public var isIdentity: Bool { key == nil }

        public static func == (left: Point, right: Point) -> Bool {
            guard var leftKey = left.key, var rightKey = right.key else { return left.isIdentity && right.isIdentity }
            return secp256k1_ec_pubkey_cmp(Context.shared.pointer, &leftKey, &rightKey) == 0
        }

        public static func + (left: Point, right: Point) -> Point {
            guard let leftKey = left.key else { return right }
            guard let rightKey = right.key else { return left }
            return withUnsafePointer(to: leftKey) { leftKey in
                withUnsafePointer(to: rightKey) { rightKey in
                    var sum = secp256k1_pubkey()
                    let terms: [UnsafePointer<secp256k1_pubkey>?] = [leftKey, rightKey]
                    // It fails for one reason: the sum is the identity.
                    return Point(secp256k1_ec_pubkey_combine(Context.shared.pointer, &sum, terms, 2) == 1 ? sum : nil)
                }
            }
        }

        /// The point that, added to this one, gives the identity.
        public static prefix func - (point: Point) -> Point {
            guard var key = point.key else { return point }
            _ = secp256k1_ec_pubkey_negate(Context.shared.pointer, &key)
            return Point(key)
        }

        public func multipliedVariableTime(by scalar: Scalar<Secp256k1>) -> Point {
            guard var key, !scalar.isZero else { return .identity }
            // The generator has tables of its own, which halve the time.
            if self == .generator { return Point(generatorTimes: scalar.encoded) }
            let result = secp256k1_ec_pubkey_tweak_mul(Context.shared.pointer, &key, scalar.encoded)
            precondition(result == 1, "a scalar that is neither zero nor out of range was refused")
            return Point(key)
        }
    }
}

extension Secp256k1.Point {
    /// The point with this x-coordinate (32 bytes) and an even y (BIP-340, lift_x).
    ///
    /// - Throws: ``CurvesError/wrongSize(expected:got:)`` or ``CurvesError/invalidPoint``.
    public init(xOnly bytes: some Collection<UInt8>) throws(CurvesError) {
        guard bytes.count == 32 else { throw .wrongSize(expected: 32, got: bytes.count) }
        try self.init(encoded: [2] + Array(bytes))
    }

    /// A point that is uniform among all but the identity. Nobody knows its logarithm, not even who draws it; and it costs less
    /// than to multiply the generator.
    public init(from random: some RandomSource) {
        var point: Secp256k1.Point?
        while point == nil {
            // Wiped: which points one has drawn may be secret.
            var bytes = random.publicBytes(count: Secp256k1.pointSize)
            bytes[0] = 2 | (bytes[0] & 1)
            point = try? Secp256k1.Point(encoded: bytes)
            bytes.withUnsafeMutableBytes { wipe($0) }
        }
        self = point ?? .identity
    }

    /// The x-coordinate in 32 bytes, big-endian.
    ///
    /// - Precondition: not the identity.
    public var xOnly: [UInt8] { Array(encoded.dropFirst()) }

    /// x and y in 32 bytes each, behind the byte 4 (SEC 1, uncompressed): what Ethereum hashes to an address.
    ///
    /// - Precondition: not the identity.
    public var uncompressed: [UInt8] {
        guard var key else { preconditionFailure("the identity has no encoding") }
        var bytes = [UInt8](repeating: 0, count: 65)
        var size = bytes.count
        secp256k1_ec_pubkey_serialize(
            Secp256k1.Context.shared.pointer, &bytes, &size, &key, UInt32(SECP256K1_EC_UNCOMPRESSED))
        return bytes
    }

    /// Whether y is even, as BIP-340 wants it of each public key and nonce.
    ///
    /// - Precondition: not the identity.
    public var hasEvenY: Bool { encoded[0] == 2 }
}
