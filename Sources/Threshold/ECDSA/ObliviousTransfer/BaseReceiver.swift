internal import Curves
internal import Secrets

extension ECDSA {
    /// The side of the base transfers that chooses (B): of each instance it gets one pad. It will send extensions, for which its
    /// bits, all exchanged, are the correlation Δ.
    struct BaseReceiver: ~Copyable, Sendable {
        private typealias Layout = BaseTransfer.Layout

        /// For the sender.
        let message: [UInt8]
        /// w: one bit for each instance.
        let choice: SecretBytes

        private let transfer: BaseTransfer
        /// t of each instance, 32 bytes.
        private let scalars: SecretBytes

        init(transfer: BaseTransfer, random: some RandomSource) {
            let choice = SecretBytes(count: columnSize, from: random)
            var message = [UInt8](repeating: 0, count: Layout.choices)
            scalars = SecretBytes(count: rows * seedSize) { scalars in
                choice.withUnsafeBytes { choice in
                    message.withUnsafeMutableBytes { message in
                        for instance in 0..<rows {
                            let scalar = SecretScalar<Secp256k1>(from: random)
                            scalar.write(to: scalars.part(instance * seedSize, seedSize))
                            Self.choose(
                                transfer, instance, Masks.mask(choice, bit: instance), scalar,
                                message.part(instance * Layout.choice, Layout.choice), random)
                        }
                    }
                }
            }
            self.choice = choice
            self.transfer = transfer
            self.message = message
        }

        /// Writes r₀ ‖ r₁ ‖ c₀ ‖ y₀ ‖ c₁ ‖ y₁ of one instance.
        private static func choose(
            _ transfer: BaseTransfer, _ instance: Int, _ mask: UInt64, _ scalar: borrowing SecretScalar<Secp256k1>,
            _ message: UnsafeMutableRawBufferPointer, _ random: some RandomSource
        ) {
            let bit = UInt8(truncatingIfNeeded: mask & 1)
            // As if the bit were 0, until the end.
            let chosen = message.part(0, Layout.point)
            let other = message.part(Layout.point, Layout.point)
            let hints = (message.part(Layout.hint(0), Layout.hint), message.part(Layout.hint(1), Layout.hint))
            // For the pad that this side does not get: this point was there before the other one was made of it.
            Secp256k1.Point(from: random).write(coordinates: other)
            let point = scalar.timesGenerator() - transfer.find(bit, instance, .init(other), hint: hints.0)
            precondition(!point.isIdentity, "a hash whose logarithm was drawn at random: never seen")
            point.write(coordinates: chosen)
            // The time of both together is that of P for both bits of the points that are sent, which tells no more than they do.
            _ = transfer.find(1 ^ bit, instance, .init(chosen), hint: hints.1)
            Masks.exchange(chosen, other, where: mask)
            Masks.exchange(hints.0, hints.1, where: mask)
        }

        /// The pad of its bit, 32 bytes for each instance.
        ///
        /// - Parameter answer: from the sender.
        /// - Throws: ``ThresholdError/malformed(_:)`` or ``ThresholdError/invalidElement``, whatever the bits are.
        borrowing func pads(answer: [UInt8]) throws(ThresholdError) -> SecretBytes {
            try BaseTransfer.check(size: answer, Layout.answers)
            // All points are checked, so that which of them is bad tells the sender nothing.
            guard answer.withUnsafeBytes({ answer in (0..<(2 * rows)).allSatisfy { Self.isPoint($0, of: answer) } })
            else {
                throw .invalidElement
            }
            let hash = transfer.padHash(message: message)
            return SecretBytes(count: rows * seedSize) { pads in
                choice.withUnsafeBytes { choice in
                    answer.withUnsafeBytes { answer in
                        for instance in 0..<rows {
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
                } catch { preconditionFailure("a scalar and a point that were checked are none: \(error)") }
            }
        }
    }
}
