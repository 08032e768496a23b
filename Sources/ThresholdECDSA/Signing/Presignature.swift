internal import Curves
public import Threshold

extension ECDSA {
    /// Everything that one signer needs for one signature except the message: bound to the key, the tweak and the
    /// signers.
    ///
    /// Signing one message consumes it: two messages signed with one presignature would reveal the key. So it cannot be
    /// copied, encoded, stored or restored.
    public struct Presignature: ~Copyable, Sendable {
        /// The request that it was made for.
        public let request: SigningRequest
        /// The identity of the session: 32 public bytes, the same for all signers and in each partial signature, and
        /// different in every other session.
        public let id: [UInt8]

        private let index: ParticipantIndex
        private let nonce: Secp256k1.Point
        private let mask: SecretScalar<Secp256k1>
        private let keyProduct: SecretScalar<Secp256k1>
        private let denominator: SecretScalar<Secp256k1>

        init(
            request: SigningRequest, id: [UInt8], index: ParticipantIndex, nonce: Secp256k1.Point,
            mask: consuming SecretScalar<Secp256k1>, keyProduct: consuming SecretScalar<Secp256k1>,
            denominator: consuming SecretScalar<Secp256k1>
        ) {
            self.request = request
            self.id = id
            self.index = index
            self.nonce = nonce
            self.mask = mask
            self.keyProduct = keyProduct
            self.denominator = denominator
        }

        /// Makes this signer's partial signature of a message, and consumes the presignature.
        ///
        /// - Parameter message: 32 bytes; if the request has a message, the same one.
        /// - Throws: `ThresholdError.wrongMessage`.
        public consuming func sign(_ message: [UInt8]) throws(ThresholdError) -> PartialSignature {
            guard message.count == 32, request.message == nil || request.message == message else {
                throw .wrongMessage
            }
            let numerator = mask * Scalar<Secp256k1>(reducing: message) + keyProduct
            // Each is a share of a sum, hidden by the products' shares, so they may become public.
            return PartialSignature(
                id: id, index: index, nonce: nonce, numerator: numerator.revealed(), denominator: denominator.revealed()
            )
        }
    }
}
