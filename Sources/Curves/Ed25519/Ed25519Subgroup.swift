internal import CSodium

extension Ed25519 {
    /// The group of prime order, and a second look at it: libsodium before 1.0.20 takes points for members that have a part
    /// of order 2 (CVE-2025-69277), and distributions mend it in versions of the same number.
    enum Subgroup {
        /// Whether a point that libsodium finds valid lies in the group of prime order.
        static func contains(_ point: [UInt8]) -> Bool { libraryIsSound || isNegatedByOrderMinusOne(point) }

        /// Whether the library sees that the generator plus the point of order 2 is outside.
        static let libraryIsSound: Bool = {
            let sum = added(Point.generator.bytes, orderTwo)
            return crypto_core_ed25519_is_valid_point(sum) == 0
        }()

        /// (L - 1)·P = -P holds in the group of prime order L, and not with a part of order 2, since L - 1 is even.
        static func isNegatedByOrderMinusOne(_ point: [UInt8]) -> Bool {
            var product = [UInt8](repeating: 0, count: pointSize)
            // It fails for what it sees itself to be outside.
            guard crypto_scalarmult_ed25519_noclamp(&product, (-Scalar<Ed25519>.one).encoded, point) == 0 else {
                return false
            }
            return added(product, point) == Point.identity.bytes
        }

        /// (0, -1).
        static let orderTwo: [UInt8] = [0xec] + [UInt8](repeating: 0xff, count: 30) + [0x7f]

        private static func added(_ left: [UInt8], _ right: [UInt8]) -> [UInt8] {
            var sum = [UInt8](repeating: 0, count: pointSize)
            precondition(crypto_core_ed25519_add(&sum, left, right) == 0, "two points of the curve have a sum")
            return sum
        }
    }
}
