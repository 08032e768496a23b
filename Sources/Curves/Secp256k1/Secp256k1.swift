internal import CSecp256k1
public import Secrets

/// The curve of Bitcoin and Ethereum (SEC 2, 2.4.1), on libsecp256k1. Points are encoded in 33 bytes (SEC 1,
/// compressed).
public enum Secp256k1: Curve {
    public static let order = GroupOrder(
        modulus: Words(0xbfd2_5e8c_d036_4141, 0xbaae_dce6_af48_a03b, 0xffff_ffff_ffff_fffe, 0xffff_ffff_ffff_ffff),
        negatedInverse: 0x4b0d_ff66_5588_b13f,
        rSquared: Words(0x896c_f214_67d7_d140, 0x7414_96c2_0e7c_f878, 0xe697_f5e4_5bcd_07c6, 0x9d67_1cd5_81c6_9bc5),
        byteOrder: .bigEndian)

    public static let pointSize = 33

    public static func generator(times secret: borrowing SecretScalar<Secp256k1>) -> Point {
        secret.bytes.withUnsafeBytes { Point(generatorTimes: $0) }
    }

    public static func encodedProduct(of secret: borrowing SecretScalar<Secp256k1>, and point: Point) -> SecretBytes {
        guard var key = point.key else { preconditionFailure("the identity times a secret has no encoding") }
        return SecretBytes(fleeting: pointSize) { product in
            secret.bytes.withUnsafeBytes { secret in
                // Only here does the library multiply a point by a secret in constant time; by default it hashes the
                // product.
                let result = secp256k1_ecdh(
                    Context.shared.pointer, product.start, &key,
                    secret.start, compressed, nil)
                precondition(result == 1, "zero has no product with a point")
            }
        }
    }

    /// Writes a point in compressed form (SEC 1, 2.3.3) instead of its hash.
    static let compressed: secp256k1_ecdh_hash_function = { output, x, y, _ in
        guard let output, let x, let y else { return 0 }
        output[0] = 2 | (y[31] & 1)
        (output + 1).update(from: x, count: 32)
        return 1
    }
}
