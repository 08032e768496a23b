internal import Curves
internal import Secrets

extension FROST.Ed25519 {
    /// The hash functions of FROST(Ed25519, SHA-512) (RFC 9591, section 6.1).
    enum Ciphersuite {
        private static let context = Array("FROST-ED25519-SHA512-v1".utf8)

        /// H1, for binding factors.
        static func h1(_ message: [UInt8]) -> Scalar<Curves.Ed25519> {
            Scalar(reducing: SHA512.hash(context + Array("rho".utf8) + message))
        }

        /// H2, the challenge: without a prefix, as in RFC 8032.
        static func h2(_ message: [UInt8]) -> Scalar<Curves.Ed25519> {
            Scalar(reducing: SHA512.hash(message))
        }

        /// H3, for nonces: of randomness and the secret share, all in guarded memory.
        static func h3(
            _ random: borrowing SecretBytes, _ range: Range<Int>, _ secret: borrowing SecretBytes
        ) -> SecretScalar<Curves.Ed25519> {
            var hasher = SHA512()
            hasher.update(context + Array("nonce".utf8))
            random.withUnsafeBytes { hasher.update(UnsafeRawBufferPointer(rebasing: $0[range])) }
            hasher.update(secret)
            return SecretScalar(reducing: hasher.finalizeSecret())
        }

        /// H4, for the message.
        static func h4(_ message: [UInt8]) -> [UInt8] { SHA512.hash(context + Array("msg".utf8) + message) }

        /// H5, for the list of commitments.
        static func h5(_ message: [UInt8]) -> [UInt8] { SHA512.hash(context + Array("com".utf8) + message) }
    }
}
