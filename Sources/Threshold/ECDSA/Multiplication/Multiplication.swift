internal import Curves
internal import Secrets

extension ECDSA {
    /// Two-party multiplication from oblivious transfer (DKLs23, protocol 5.2): the sender has two numbers, the receiver a
    /// random factor, and they end with additive shares of both products.
    ///
    /// Sender and receiver come to the same by different ways, which the receiver checks: a sender that used different
    /// numbers in different transfers, to learn bits of the factor from what fails, is found out and banned.
    enum Multiplication {
        /// Numbers that are multiplied (ℓ), and the scalar that checks them (ρ).
        static let products = 2
        static let width = products + 1
        /// Bits of the factor.
        static let transfers = ExtensionShape.signing.transfers
        /// Bytes of the sender's message: the corrections, η, and a hash.
        static let messageSize = (transfers * width + 1) * scalarSize + SHA256.size

        /// The public weights of the factor's bits. Random ones, so that a few bits that leak say nothing of the factor.
        static func gadget(session esid: [UInt8]) -> [Scalar<Secp256k1>] {
            LoopHash(Oracle.hash("gadget", esid)).scalars(count: transfers, ofSize: 2) { number, input in
                input.storeBytes(of: UInt16(number).bigEndian, as: UInt16.self)
            }
        }

        /// θ: how the check scalar is joined with both numbers, chosen by all corrections.
        static func challenge(base: [UInt8], corrections: [UInt8]) -> [Scalar<Secp256k1>] {
            LoopHash(Oracle.hash("multiplication challenge", base, corrections)).scalars(count: products, ofSize: 1) {
                number, input in input.storeBytes(of: UInt8(number), as: UInt8.self)
            }
        }

        static func check(base: [UInt8], _ row: borrowing SecretScalars<Secp256k1>) -> [UInt8] {
            var hasher = Oracle.hasher("multiplication check")
            hasher.update(part: base)
            hasher.update(part: row.encoded())
            return hasher.finalize()
        }
    }

    /// One party's additive shares of the two products.
    struct ProductShares: ~Copyable {
        let first: SecretScalar<Secp256k1>
        let second: SecretScalar<Secp256k1>
    }
}
