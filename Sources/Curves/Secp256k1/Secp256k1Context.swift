internal import CSecp256k1
internal import Secrets

extension Secp256k1 {
    /// The library's state: tables, and a random number that hides secrets from those who measure power or time.
    final class Context: Sendable {
        static let shared = Context()

        // Nothing writes to it once it is made, so that all threads may use it.
        nonisolated(unsafe) let pointer: OpaquePointer

        private init() {
            // Not there before 0.2.0, the first release: with an older library this does not link.
            secp256k1_selftest()
            guard let context = secp256k1_context_create(UInt32(SECP256K1_CONTEXT_SIGN | SECP256K1_CONTEXT_VERIFY))
            else { preconditionFailure("no memory for libsecp256k1") }
            // The one randomness here that nobody passes in: no result depends on it.
            let blinding = SecretBytes(count: 32, from: SystemRandom())
            let result = blinding.withUnsafeBytes {
                secp256k1_context_randomize(context, $0.start)
            }
            precondition(result == 1, "libsecp256k1 refuses its blinding")
            pointer = context
            precondition(Self.isRight(context), "libsecp256k1 computes wrongly: is it of another machine, or damaged?")
        }

        /// Whether what the rest of this target relies on comes out right: 2·G from both multiplications (SEC 2, 2.4.1).
        private static func isRight(_ context: OpaquePointer) -> Bool {
            let two = [UInt8](repeating: 0, count: 31) + [2]
            var generator = secp256k1_pubkey()
            var double = secp256k1_pubkey()
            guard
                secp256k1_ec_pubkey_create(context, &generator, [UInt8](repeating: 0, count: 31) + [1]) == 1,
                secp256k1_ec_pubkey_create(context, &double, two) == 1
            else { return false }
            var encoded = [UInt8](repeating: 0, count: Secp256k1.pointSize)
            var size = encoded.count
            secp256k1_ec_pubkey_serialize(context, &encoded, &size, &double, UInt32(SECP256K1_EC_COMPRESSED))
            var product = [UInt8](repeating: 0, count: Secp256k1.pointSize)
            guard secp256k1_ecdh(context, &product, &generator, two, Secp256k1.compressed, nil) == 1 else {
                return false
            }
            return encoded == twice && product == twice
        }

        private static let twice: [UInt8] = [
            0x02, 0xc6, 0x04, 0x7f, 0x94, 0x41, 0xed, 0x7d, 0x6d, 0x30, 0x45, 0x40, 0x6e, 0x95, 0xc0, 0x7c, 0xd8,
            0x5c, 0x77, 0x8e, 0x4b, 0x8c, 0xef, 0x3c, 0xa7, 0xab, 0xac, 0x09, 0xb9, 0x5c, 0x70, 0x9e, 0xe5,
        ]
    }
}
