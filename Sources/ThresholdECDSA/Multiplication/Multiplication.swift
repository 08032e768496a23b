internal import Curves
internal import Threshold

extension ECDSA {
    /// Two-party multiplication from oblivious transfer (DKLs23, protocol 5.2): the sender has two numbers, the
    /// receiver a random factor, and both get additive shares of the two products.
    ///
    /// The receiver verifies the sender's computation: a sender that uses different numbers in different transfers, to
    /// learn bits of the factor from failures, is detected and banned.
    enum Multiplication {
        /// The number of products (ℓ). One further scalar checks them (ρ).
        static let products = 2
        static let width = products + 1
        /// The number of bits of the factor.
        static let transfers = ExtensionShape.signing.transfers
        /// The size of the sender's message: the corrections, η, and a hash.
        static let messageSize = (transfers * width + 1) * scalarSize + SHA256.size

        /// Returns the public weights of the factor's bits. They are random, so that a few leaked bits reveal nothing
        /// about the factor.
        static func gadget(session esid: [UInt8]) -> [Scalar<Secp256k1>] {
            LoopHash(TaggedHash.hash("gadget", esid)).scalars(count: transfers, ofSize: 2) { number, input in
                input.storeBytes(of: UInt16(number).bigEndian, as: UInt16.self)
            }
        }

        /// Returns θ, which combines the check scalar with both numbers, and depends on all corrections.
        static func challenge(base: [UInt8], corrections: [UInt8]) -> [Scalar<Secp256k1>] {
            LoopHash(TaggedHash.hash("multiplication challenge", base, corrections)).scalars(count: products, ofSize: 1)
            {
                number, input in input.storeBytes(of: UInt8(number), as: UInt8.self)
            }
        }

        static func check(base: [UInt8], _ row: borrowing SecretScalars<Secp256k1>) -> [UInt8] {
            var hasher = TaggedHash.hasher("multiplication check")
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
