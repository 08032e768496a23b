internal import CSodium

extension Ed25519 {
    /// A point of edwards25519, of prime order.
    public struct Point: CurvePoint {
        public typealias Group = Ed25519

        /// The encoding (RFC 8032, 5.1.2): one for each point, including the identity.
        let bytes: [UInt8]

        private init(_ bytes: [UInt8]) {
            self.bytes = bytes
        }

        public static let identity = Point([1] + [UInt8](repeating: 0, count: 31))
        public static let generator = Point(generatorTimes: [1] + [UInt8](repeating: 0, count: 31))

        /// Multiplies the generator by a scalar of 32 bytes, in constant time.
        init(generatorTimes scalar: UnsafeRawBufferPointer) {
            precondition(scalar.count == scalarSize, "a scalar has \(scalarSize) bytes")
            bytes = Self.written { product in
                // The return value only says whether the product is the identity, which is encoded like any point.
                _ = crypto_scalarmult_ed25519_base_noclamp(product, scalar.start)
            }
        }

        private init(generatorTimes scalar: [UInt8]) {
            self = scalar.withUnsafeBytes { Point(generatorTimes: $0) }
        }

        public init(encoded bytes: some Collection<UInt8>) throws(CurvesError) {
            guard bytes.count == pointSize else { throw .wrongSize(expected: pointSize, got: bytes.count) }
            let bytes = Array(bytes)
            // The point is on the curve, in its one standard form, and of prime order; so it is not the identity
            // either.
            guard crypto_core_ed25519_is_valid_point(bytes) == 1, Subgroup.contains(bytes) else { throw .invalidPoint }
            self.bytes = bytes
        }

        public var encoded: [UInt8] { bytes }

        public var isIdentity: Bool { self == .identity }

        public static func + (left: Point, right: Point) -> Point {
            Point(
                written { sum in
                    precondition(crypto_core_ed25519_add(sum, left.bytes, right.bytes) == 0, "this is not a point")
                })
        }

        public static func - (left: Point, right: Point) -> Point {
            Point(
                written { difference in
                    precondition(
                        crypto_core_ed25519_sub(difference, left.bytes, right.bytes) == 0, "this is not a point")
                })
        }

        /// Returns the negative of a point: their sum is the identity.
        public static prefix func - (point: Point) -> Point { .identity - point }

        public func multipliedVariableTime(by scalar: Scalar<Ed25519>) -> Point {
            guard !isIdentity, !scalar.isZero else { return .identity }
            if self == .generator { return Point(generatorTimes: scalar.encoded) }
            return Point(
                Self.written { product in
                    let result = crypto_scalarmult_ed25519_noclamp(product, scalar.encoded, bytes)
                    precondition(result == 0, "a point of prime order times a scalar below it is not the identity")
                })
        }

        /// Returns the 32 bytes that a library function writes.
        private static func written(_ write: (UnsafeMutablePointer<UInt8>) -> Void) -> [UInt8] {
            [UInt8](unsafeUninitializedCapacity: pointSize) { buffer, count in
                guard let base = buffer.baseAddress else { preconditionFailure("a buffer without memory") }
                write(base)
                count = pointSize
            }
        }
    }
}
