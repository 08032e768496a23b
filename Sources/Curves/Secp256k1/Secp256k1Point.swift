internal import CSecp256k1
public import Secrets

extension Secp256k1 {
    /// A point of secp256k1.
    public struct Point: CurvePoint {
        public typealias Group = Secp256k1

        /// The library's form of the point; nil for the identity, which has none.
        let key: secp256k1_pubkey?

        init(_ key: secp256k1_pubkey?) {
            self.key = key
        }

        public static let identity = Point(nil)
        public static let generator = Point(generatorTimes: [UInt8](repeating: 0, count: 31) + [1])

        /// Multiplies the generator by a scalar of 32 bytes. The time is constant, except that it reveals zero.
        init(generatorTimes scalar: UnsafeRawBufferPointer) {
            precondition(scalar.count == scalarSize, "a scalar has \(scalarSize) bytes")
            var key = secp256k1_pubkey()
            // The library refuses zero, and numbers that are not below the order. A scalar is always below it.
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
                    // It fails only if the sum is the identity.
                    return Point(secp256k1_ec_pubkey_combine(Context.shared.pointer, &sum, terms, 2) == 1 ? sum : nil)
                }
            }
        }

        /// Returns the negative of a point: their sum is the identity.
        public static prefix func - (point: Point) -> Point {
            guard var key = point.key else { return point }
            _ = secp256k1_ec_pubkey_negate(Context.shared.pointer, &key)
            return Point(key)
        }

        public func multipliedVariableTime(by scalar: Scalar<Secp256k1>) -> Point {
            guard var key, !scalar.isZero else { return .identity }
            // The library has tables for the generator, which halve the time.
            if self == .generator { return Point(generatorTimes: scalar.encoded) }
            let result = secp256k1_ec_pubkey_tweak_mul(Context.shared.pointer, &key, scalar.encoded)
            precondition(result == 1, "a scalar that is neither zero nor out of range was refused")
            return Point(key)
        }
    }
}

extension Secp256k1.Point {
    /// Creates the point with this x-coordinate (32 bytes) and an even y (BIP-340, lift_x).
    ///
    /// - Throws: ``CurvesError/wrongSize(expected:got:)`` or ``CurvesError/invalidPoint``.
    public init(xOnly bytes: some Collection<UInt8>) throws(CurvesError) {
        guard bytes.count == 32 else { throw .wrongSize(expected: 32, got: bytes.count) }
        try self.init(encoded: [2] + Array(bytes))
    }

    /// Draws a point that is uniform among all but the identity. Its logarithm is unknown, also to the caller who draws
    /// it, and drawing costs less than a multiplication of the generator.
    public init(from random: some RandomSource) {
        var point: Secp256k1.Point?
        while point == nil {
            // The bytes are wiped, because the choice of points may be secret.
            var bytes = random.publicBytes(count: Secp256k1.pointSize)
            bytes[0] = 2 | (bytes[0] & 1)
            point = try? Secp256k1.Point(encoded: bytes)
            bytes.withUnsafeMutableBytes { wipe($0) }
        }
        self = point ?? .identity
    }

    /// The x-coordinate in 32 bytes, big-endian.
    ///
    /// - Precondition: the point is not the identity.
    public var xOnly: [UInt8] { Array(encoded.dropFirst()) }

    /// The byte 4, then x and y in 32 bytes each (SEC 1, uncompressed). Ethereum hashes x and y to an address.
    ///
    /// - Precondition: the point is not the identity.
    public var uncompressed: [UInt8] {
        guard var key else { preconditionFailure("the identity has no encoding") }
        var bytes = [UInt8](repeating: 0, count: 65)
        var size = bytes.count
        secp256k1_ec_pubkey_serialize(
            Secp256k1.Context.shared.pointer, &bytes, &size, &key, UInt32(SECP256K1_EC_UNCOMPRESSED))
        return bytes
    }

    /// Whether y is even, as BIP-340 requires of public keys and nonces.
    ///
    /// - Precondition: the point is not the identity.
    public var hasEvenY: Bool { encoded[0] == 2 }
}
