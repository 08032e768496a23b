internal import CSodium
public import Secrets

/// The group of prime order in edwards25519 (RFC 8032, 5.1; RFC 9591, 6.1), on libsodium. Points are encoded in 32
/// bytes.
public enum Ed25519: Curve {
    public static let order = GroupOrder(
        modulus: Words(0x5812_631a_5cf5_d3ed, 0x14de_f9de_a2f7_9cd6, 0, 0x1000_0000_0000_0000),
        negatedInverse: 0xd2b5_1da3_1254_7e1b,
        rSquared: Words(0xa406_11e3_449c_0f01, 0xd00e_1ba7_6885_9347, 0xceec_73d2_17f5_be65, 0x0399_411b_7c30_9a3d),
        byteOrder: .littleEndian)

    public static let pointSize = 32

    public static func generator(times secret: borrowing SecretScalar<Ed25519>) -> Point {
        secret.bytes.withUnsafeBytes { Point(generatorTimes: $0) }
    }

    public static func encodedProduct(of secret: borrowing SecretScalar<Ed25519>, and point: Point) -> SecretBytes {
        SecretBytes(fleeting: pointSize) { product in
            secret.bytes.withUnsafeBytes { secret in
                // The scalar is not clamped: it is used unchanged, and the point is of prime order.
                let result = crypto_scalarmult_ed25519_noclamp(
                    product.start, secret.start,
                    point.bytes)
                precondition(result == 0, "neither zero nor the identity has a product that is encoded")
            }
        }
    }
}
