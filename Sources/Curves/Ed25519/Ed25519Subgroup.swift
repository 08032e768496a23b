internal import CSodium

extension Ed25519 {
    /// The group of prime order, and an additional check of membership in it: libsodium before 1.0.20 accepts points
    /// that have a component of order 2 (CVE-2025-69277), and distributions fix it without changing the version number.
    enum Subgroup {
        /// Returns whether a point that libsodium accepts is in the group of prime order.
        static func contains(_ point: [UInt8]) -> Bool { libraryIsSound || isNegatedByOrderMinusOne(point) }

        /// Whether the library refuses the sum of the generator and the point of order 2, which is outside the group.
        static let libraryIsSound: Bool = {
            let sum = added(Point.generator.bytes, orderTwo)
            return crypto_core_ed25519_is_valid_point(sum) == 0
        }()

        /// Returns whether (L - 1)·P = -P. It holds in the group of prime order L, and not with a component of order 2,
        /// since L - 1 is even.
        static func isNegatedByOrderMinusOne(_ point: [UInt8]) -> Bool {
            var product = [UInt8](repeating: 0, count: pointSize)
            // The library fails for points that it recognises as outside the group.
            guard crypto_scalarmult_ed25519_noclamp(&product, (-Scalar<Ed25519>.one).encoded, point) == 0 else {
                return false
            }
            return added(product, point) == Point.identity.bytes
        }

        /// The point of order 2: (0, -1).
        static let orderTwo: [UInt8] = [0xec] + [UInt8](repeating: 0xff, count: 30) + [0x7f]

        private static func added(_ left: [UInt8], _ right: [UInt8]) -> [UInt8] {
            var sum = [UInt8](repeating: 0, count: pointSize)
            precondition(crypto_core_ed25519_add(&sum, left, right) == 0, "two points of the curve have a sum")
            return sum
        }
    }
}
