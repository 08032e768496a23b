internal import Curves
internal import Secrets
internal import Threshold

extension ECDSA {
    /// The sender of the base transfers (A): it knows both pads of each instance.
    struct BaseSender: ~Copyable, Sendable {
        private typealias Layout = BaseTransfer.Layout

        /// The message for the receiver.
        let message: [UInt8]
        /// The pads of both bits, 32 bytes for each instance.
        let pads: SenderPads

        /// - Parameter choice: the receiver's message.
        /// - Throws: `ThresholdError.malformed(_:)` or `ThresholdError.invalidElement`.
        init(answering choice: [UInt8], transfer: BaseTransfer, random: some RandomSource) throws(ThresholdError) {
            try BaseTransfer.check(size: choice, Layout.choices)
            guard let keys = Self.keys(choice, transfer) else { throw .invalidElement }

            let hash = transfer.padHash(message: choice)
            var message = [UInt8](repeating: 0, count: Layout.answers)
            func fill(_ bit: Int) -> SecretBytes {
                SecretBytes(count: baseTransfers * seedSize) { pads in
                    message.withUnsafeMutableBytes { message in
                        for instance in 0..<baseTransfers {
                            Self.answer(
                                hash, UInt8(bit), instance, keys[2 * instance + bit],
                                to: pads.origin + instance * seedSize, random
                            ).write(coordinates: message.part((2 * instance + bit) * Layout.point, Layout.point))
                        }
                    }
                }
            }
            pads = SenderPads(zero: fill(0), one: fill(1))
            self.message = message
        }

        /// Returns m₀ and m₁ of each instance; nil if a point is invalid, or if one of them would be the identity.
        private static func keys(_ choice: [UInt8], _ transfer: BaseTransfer) -> [Secp256k1.Point]? {
            var keys: [Secp256k1.Point] = []
            keys.reserveCapacity(2 * baseTransfers)
            return choice.withUnsafeBytes { choice in
                for instance in 0..<baseTransfers {
                    let message = choice.part(instance * Layout.choice, Layout.choice)
                    for bit in 0...1 {
                        let other = message.part((1 - bit) * Layout.point, Layout.point)
                        guard
                            let point = try? Secp256k1.Point(
                                coordinates: message.part(bit * Layout.point, Layout.point)),
                            let hashed = transfer.point(
                                UInt8(bit), instance, other, y: message.part(Layout.y(bit), Layout.coordinate))
                        else { return nil }
                        keys.append(point + hashed)
                    }
                }
                return keys.contains(where: \.isIdentity) ? nil : keys
            }
        }

        /// Writes a pad, and returns T. Each bit has a scalar of its own, over the whole range: one for both bits, or a
        /// short one, would give the receiver both pads.
        private static func answer(
            _ hash: LoopHash, _ bit: UInt8, _ instance: Int, _ key: Secp256k1.Point, to pad: UnsafeMutableRawPointer,
            _ random: some RandomSource
        ) -> Secp256k1.Point {
            let scalar = SecretScalar<Secp256k1>(from: random)
            do {
                BaseTransfer.pad(hash, bit, instance, try scalar.sharedSecret(with: key), to: pad)
            } catch { preconditionFailure("neither factor is nothing: \(error)") }
            return scalar.timesGenerator()
        }
    }
}
