internal import Curves
internal import Encoding

extension FROST.BIP340 {
    /// The sums of all signers' commitments (BIP-445, `aggnonce`). Either may be the identity, if a signer is
    /// malicious.
    package struct AggregateNonce: Equatable, Sendable {
        let hiding: Secp256k1.Point
        let binding: Secp256k1.Point

        /// Adds up the commitments (NonceAgg).
        package init(_ commitments: [Commitment]) {
            hiding = commitments.reduce(.identity) { $0 + $1.hiding }
            binding = commitments.reduce(.identity) { $0 + $1.binding }
        }

        /// The encoding, cbytes_ext(R₁)
        ///
        /// cbytes_ext(R₂): 66 bytes, in which the identity is 33 zeros.
        package var encoded: [UInt8] {
            [hiding, binding].flatMap { $0.isIdentity ? [UInt8](repeating: 0, count: 33) : $0.encoded }
        }

        /// Reads 66 bytes. Signers receive all commitments and add them up themselves: only published vectors need
        /// this.
        ///
        /// - Throws: ``ThresholdError/malformed(_:)`` or ``ThresholdError/invalidElement``.
        package init(decoding bytes: [UInt8]) throws(ThresholdError) {
            guard bytes.count == 66 else { throw .malformed(.unsupported) }
            hiding = try Self.point(bytes[..<33])
            binding = try Self.point(bytes[33...])
        }

        private static func point(_ bytes: ArraySlice<UInt8>) throws(ThresholdError) -> Secp256k1.Point {
            if bytes.allSatisfy({ $0 == 0 }) { return .identity }
            do { return try Secp256k1.Point(encoded: bytes) } catch { throw .invalidElement }
        }
    }
}
