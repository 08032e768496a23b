internal import Curves
internal import Secrets
internal import Threshold

extension ECDSA {
    /// The receiver of the base transfers (B): it chooses, and gets one pad of each instance.
    struct BaseReceiver: ~Copyable, Sendable {
        private typealias Layout = BaseTransfer.Layout

        /// The message for the sender.
        let message: [UInt8]
        /// w: one choice bit for each instance.
        let choice: SecretBytes

        private let transfer: BaseTransfer
        /// The scalars t of all instances, 32 bytes each.
        private let scalars: SecretBytes

        init(transfer: BaseTransfer, random: some RandomSource) {
            let choice = SecretBytes(count: baseTransfers / 8, from: random)
            var message = [UInt8](repeating: 0, count: Layout.choices)
            scalars = SecretBytes(count: baseTransfers * seedSize) { scalars in
                choice.withUnsafeBytes { choice in
                    message.withUnsafeMutableBytes { message in
                        for instance in 0..<baseTransfers {
                            Self.choose(
                                transfer, instance, Masks.mask(choice, bit: instance),
                                message.part(instance * Layout.choice, Layout.choice), random
                            ).write(to: scalars.part(instance * seedSize, seedSize))
                        }
                    }
                }
            }
            self.choice = choice
            self.transfer = transfer
            self.message = message
        }

        /// Writes r₀ ‖ r₁ ‖ y₀ ‖ y₁ of one instance, and returns t.
        ///
        /// The number of draws is independent of the bit and of the message: counting them reveals nothing.
        private static func choose(
            _ transfer: BaseTransfer, _ instance: Int, _ mask: UInt64, _ message: UnsafeMutableRawBufferPointer,
            _ random: some RandomSource
        ) -> SecretScalar<Secp256k1> {
            let bit = UInt8(truncatingIfNeeded: mask & 1)
            // Written as if the bit were 0, and exchanged at the end.
            let chosen = message.part(0, Layout.point)
            let other = message.part(Layout.point, Layout.point)
            let ys = (message.part(Layout.y(0), Layout.coordinate), message.part(Layout.y(1), Layout.coordinate))

            // For the pad that this side does not get: this point exists before the other one is computed from it.
            var hashed: Secp256k1.Point?
            while hashed == nil {
                Secp256k1.Point(from: random).write(coordinates: other)
                hashed = transfer.point(bit, instance, UnsafeRawBufferPointer(other))
            }
            guard let hashed else { preconditionFailure("the loop ends with a point") }
            hashed.write(y: ys.0)

            var scalar = SecretScalar<Secp256k1>(from: random)
            while !write(scalar.timesGenerator() - hashed, transfer, 1 ^ bit, instance, to: chosen, y: ys.1) {
                scalar = SecretScalar<Secp256k1>(from: random)
            }
            Masks.exchange(chosen, other, where: mask)
            Masks.exchange(ys.0, ys.1, where: mask)
            return scalar
        }

        /// Writes a point, and y of the point that it is hashed to; returns false if the hash gives no point.
        private static func write(
            _ point: Secp256k1.Point, _ transfer: BaseTransfer, _ bit: UInt8, _ instance: Int,
            to output: UnsafeMutableRawBufferPointer, y: UnsafeMutableRawBufferPointer
        ) -> Bool {
            guard !point.isIdentity else { return false }
            point.write(coordinates: output)
            guard let hashed = transfer.point(bit, instance, UnsafeRawBufferPointer(output)) else { return false }
            hashed.write(y: y)
            return true
        }

        /// Returns the pads of its bits, 32 bytes for each instance.
        ///
        /// - Parameter answer: the sender's message.
        /// - Throws: `ThresholdError.malformed(_:)` or `ThresholdError.invalidElement`, whatever the bits are.
        borrowing func pads(answer: [UInt8]) throws(ThresholdError) -> SecretBytes {
            try BaseTransfer.check(size: answer, Layout.answers)
            // All points are checked, so that a bad one reveals nothing to the sender.
            guard
                answer.withUnsafeBytes({ answer in (0..<(2 * baseTransfers)).allSatisfy { Self.isPoint($0, of: answer) }
                })
            else {
                throw .invalidElement
            }
            let hash = transfer.padHash(message: message)
            return SecretBytes(count: baseTransfers * seedSize) { pads in
                choice.withUnsafeBytes { choice in
                    answer.withUnsafeBytes { answer in
                        for instance in 0..<baseTransfers {
                            writePad(
                                instance, answer.part(instance * Layout.answer, Layout.answer), hash,
                                where: Masks.mask(choice, bit: instance), to: pads.origin + instance * seedSize)
                        }
                    }
                }
            }
        }

        private static func isPoint(_ place: Int, of answer: UnsafeRawBufferPointer) -> Bool {
            (try? Secp256k1.Point(coordinates: answer.part(place * Layout.point, Layout.point))) != nil
        }

        /// Writes F(p; w ‖ k ‖ t·T_w).
        private borrowing func writePad(
            _ instance: Int, _ answer: UnsafeRawBufferPointer, _ hash: LoopHash, where mask: UInt64,
            to pad: UnsafeMutableRawPointer
        ) {
            Extension.withWords(Layout.point / 8) { words in
                let chosen = UnsafeMutableRawBufferPointer(start: words, count: Layout.point)
                Masks.select(
                    answer.part(0, Layout.point), answer.part(Layout.point, Layout.point), where: mask, to: chosen)
                do {
                    let scalar = try SecretScalar<Secp256k1>(canonical: scalars.part(instance * seedSize, seedSize))
                    BaseTransfer.pad(
                        hash, UInt8(truncatingIfNeeded: mask & 1), instance,
                        try scalar.sharedSecret(with: Secp256k1.Point(coordinates: .init(chosen))), to: pad)
                } catch { preconditionFailure("a checked scalar or point is invalid: \(error)") }
            }
        }
    }
}
