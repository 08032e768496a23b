internal import CSecp256k1

extension Secp256k1 {
    /// Known answers that the library has to give before it is used. The library's own self-test covers SHA-256 only;
    /// this one detects a library that was built for another machine, or is damaged or replaced.
    struct SelfTest {
        let context: OpaquePointer

        var passes: Bool {
            var generator = secp256k1_pubkey()
            guard secp256k1_ec_pubkey_create(context, &generator, [UInt8](repeating: 0, count: 31) + [1]) == 1 else {
                return false
            }
            return multiplies(generator) && verifiesECDSA(generator) && verifiesBIP340(generator)
        }

        /// Returns whether all three multiplications compute 2·G (SEC 2, 2.4.1).
        private func multiplies(_ generator: secp256k1_pubkey) -> Bool {
            let two = [UInt8](repeating: 0, count: 31) + [2]
            var generator = generator
            var double = secp256k1_pubkey()
            guard secp256k1_ec_pubkey_create(context, &double, two) == 1 else { return false }
            var product = [UInt8](repeating: 0, count: Secp256k1.pointSize)
            guard secp256k1_ecdh(context, &product, &generator, two, Secp256k1.compressed, nil) == 1 else {
                return false
            }
            // The multiplication that is not in constant time.
            var tweaked = generator
            guard secp256k1_ec_pubkey_tweak_mul(context, &tweaked, two) == 1 else { return false }
            return encoded(double) == Self.twice && product == Self.twice && encoded(tweaked) == Self.twice
        }

        private func encoded(_ key: secp256k1_pubkey) -> [UInt8] {
            var key = key
            var bytes = [UInt8](repeating: 0, count: Secp256k1.pointSize)
            var size = bytes.count
            secp256k1_ec_pubkey_serialize(context, &bytes, &size, &key, UInt32(SECP256K1_EC_COMPRESSED))
            return bytes
        }

        /// Returns whether a signature by the key 1 (RFC 6979, of SHA-256 of "Satoshi Nakamoto") is valid for its
        /// digest, and invalid for another digest.
        private func verifiesECDSA(_ key: secp256k1_pubkey) -> Bool {
            var key = key
            var signature = secp256k1_ecdsa_signature()
            guard secp256k1_ecdsa_signature_parse_compact(context, &signature, Self.signature) == 1 else {
                return false
            }
            return secp256k1_ecdsa_verify(context, &signature, Self.digest, &key) == 1
                && secp256k1_ecdsa_verify(context, &signature, Self.flipped(Self.digest), &key) == 0
        }

        /// Returns whether the first signature of BIP-340's vectors is valid for its message, and invalid for another
        /// message.
        private func verifiesBIP340(_ generator: secp256k1_pubkey) -> Bool {
            var three = generator
            var key = secp256k1_xonly_pubkey()
            guard
                secp256k1_ec_pubkey_tweak_mul(context, &three, [UInt8](repeating: 0, count: 31) + [3]) == 1,
                secp256k1_xonly_pubkey_parse(context, &key, Array(encoded(three).dropFirst())) == 1
            else { return false }
            let message = [UInt8](repeating: 0, count: 32)
            return secp256k1_schnorrsig_verify(context, Self.schnorrSignature, message, 32, &key) == 1
                && secp256k1_schnorrsig_verify(context, Self.schnorrSignature, Self.flipped(message), 32, &key) == 0
        }

        private static func flipped(_ bytes: [UInt8]) -> [UInt8] { [bytes[0] ^ 1] + bytes.dropFirst() }

        private static let twice: [UInt8] = [
            0x02, 0xc6, 0x04, 0x7f, 0x94, 0x41, 0xed, 0x7d, 0x6d, 0x30, 0x45, 0x40, 0x6e, 0x95, 0xc0, 0x7c, 0xd8,
            0x5c, 0x77, 0x8e, 0x4b, 0x8c, 0xef, 0x3c, 0xa7, 0xab, 0xac, 0x09, 0xb9, 0x5c, 0x70, 0x9e, 0xe5,
        ]

        private static let digest: [UInt8] = [
            0xa0, 0xdc, 0x65, 0xff, 0xca, 0x79, 0x98, 0x73, 0xcb, 0xea, 0x0a, 0xc2, 0x74, 0x01, 0x5b, 0x95, 0x26,
            0x50, 0x5d, 0xaa, 0xae, 0xd3, 0x85, 0x15, 0x54, 0x25, 0xf7, 0x33, 0x77, 0x04, 0x88, 0x3e,
        ]

        private static let signature: [UInt8] = [
            0x93, 0x4b, 0x1e, 0xa1, 0x0a, 0x4b, 0x3c, 0x17, 0x57, 0xe2, 0xb0, 0xc0, 0x17, 0xd0, 0xb6, 0x14, 0x3c,
            0xe3, 0xc9, 0xa7, 0xe6, 0xa4, 0xa4, 0x98, 0x60, 0xd7, 0xa6, 0xab, 0x21, 0x0e, 0xe3, 0xd8, 0x24, 0x42,
            0xce, 0x9d, 0x2b, 0x91, 0x60, 0x64, 0x10, 0x80, 0x14, 0x78, 0x3e, 0x92, 0x3e, 0xc3, 0x6b, 0x49, 0x74,
            0x3e, 0x2f, 0xfa, 0x1c, 0x44, 0x96, 0xf0, 0x1a, 0x51, 0x2a, 0xaf, 0xd9, 0xe5,
        ]

        private static let schnorrSignature: [UInt8] = [
            0xe9, 0x07, 0x83, 0x1f, 0x80, 0x84, 0x8d, 0x10, 0x69, 0xa5, 0x37, 0x1b, 0x40, 0x24, 0x10, 0x36, 0x4b,
            0xdf, 0x1c, 0x5f, 0x83, 0x07, 0xb0, 0x08, 0x4c, 0x55, 0xf1, 0xce, 0x2d, 0xca, 0x82, 0x15, 0x25, 0xf6,
            0x6a, 0x4a, 0x85, 0xea, 0x8b, 0x71, 0xe4, 0x82, 0xa7, 0x4f, 0x38, 0x2d, 0x2c, 0xe5, 0xeb, 0xee, 0xe8,
            0xfd, 0xb2, 0x17, 0x2f, 0x47, 0x7d, 0xf4, 0x90, 0x0d, 0x31, 0x05, 0x36, 0xc0,
        ]
    }
}
