internal import Curves
internal import Secrets

extension ECDSA {
    /// The side of the base transfers that knows both pads of each instance (A).
    struct BaseSender: ~Copyable, Sendable {
        /// For the receiver.
        let message: [UInt8]
        /// 32 bytes for each instance.
        let pads: SenderPads

        /// - Parameter choice: the receiver's message.
        /// - Throws: ``ThresholdError/malformed(_:)`` or ``ThresholdError/invalidElement``.
        init(answering choice: [UInt8], transfer: BaseTransfer, random: some RandomSource) throws(ThresholdError) {
            try BaseTransfer.check(size: choice)
            // m₀ and m₁ of each instance.
            var keys: [Secp256k1.Point] = []
            keys.reserveCapacity(2 * rows)
            for instance in 0..<rows {
                let points = (
                    try BaseTransfer.point(0, instance, of: choice), try BaseTransfer.point(1, instance, of: choice)
                )
                keys.append(points.0 + transfer.point(0, instance, points.1.encoded))
                keys.append(points.1 + transfer.point(1, instance, points.0.encoded))
            }
            guard !keys.contains(where: \.isIdentity) else { throw .invalidElement }

            let hash = transfer.padHash(message: choice)
            var message = [UInt8](repeating: 0, count: BaseTransfer.messageSize)
            func fill(_ bit: Int) -> SecretBytes {
                SecretBytes(count: rows * seedSize) { pads in
                    for instance in 0..<rows {
                        let point = Self.answer(
                            hash, UInt8(bit), instance, keys[2 * instance + bit], to: pads.origin + instance * seedSize,
                            random)
                        let start = BaseTransfer.place(instance, bit)
                        message.replaceSubrange(start..<(start + Secp256k1.pointSize), with: point)
                    }
                }
            }
            pads = SenderPads(zero: fill(0), one: fill(1))
            self.message = message
        }

        /// Writes a pad, and gives T. Each has a scalar of its own, over the whole range: one for both bits, or a short one, would
        /// give the receiver both pads.
        private static func answer(
            _ hash: LoopHash, _ bit: UInt8, _ instance: Int, _ key: Secp256k1.Point, to pad: UnsafeMutableRawPointer,
            _ random: some RandomSource
        ) -> [UInt8] {
            let scalar = SecretScalar<Secp256k1>(from: random)
            do {
                BaseTransfer.pad(hash, bit, instance, try scalar.sharedSecret(with: key), to: pad)
            } catch { preconditionFailure("neither factor is nothing: \(error)") }
            return scalar.timesGenerator().encoded
        }
    }
}
