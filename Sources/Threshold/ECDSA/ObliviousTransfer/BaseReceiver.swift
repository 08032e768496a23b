internal import Curves
internal import Secrets

extension ECDSA {
    /// The side of the base transfers that chooses (B): of each instance it gets one pad. It will send extensions, for which its
    /// bits, all exchanged, are the correlation Δ.
    struct BaseReceiver: ~Copyable, Sendable {
        /// For the sender.
        let message: [UInt8]
        /// w: one bit for each instance.
        let choice: SecretBytes

        private let transfer: BaseTransfer
        /// t of each instance, 32 bytes.
        private let scalars: SecretBytes

        init(transfer: BaseTransfer, random: some RandomSource) {
            let choice = SecretBytes(count: columnSize, from: random)
            var message = [UInt8](repeating: 0, count: BaseTransfer.messageSize)
            scalars = SecretBytes(count: rows * seedSize) { scalars in
                choice.withUnsafeBytes { choice in
                    message.withUnsafeMutableBytes { message in
                        for instance in 0..<rows {
                            let scalar = SecretScalar<Secp256k1>(from: random)
                            scalar.encoded().withUnsafeBytes {
                                (scalars.origin + instance * seedSize).copyMemory(from: $0.origin, byteCount: $0.count)
                            }
                            Self.choose(transfer, instance, choice, scalar, message, random)
                        }
                    }
                }
            }
            self.choice = choice
            self.transfer = transfer
            self.message = message
        }

        /// Writes r₀ and r₁ of one instance.
        private static func choose(
            _ transfer: BaseTransfer, _ instance: Int, _ choice: UnsafeRawBufferPointer,
            _ scalar: borrowing SecretScalar<Secp256k1>, _ message: UnsafeMutableRawBufferPointer,
            _ random: some RandomSource
        ) {
            let mask = Masks.mask(choice, bit: instance)
            let bit = UInt8(truncatingIfNeeded: mask & 1)
            // For the pad that this side does not get: this point was there before the other one was made of it.
            let other = Secp256k1.Point(from: random).encoded
            let chosen = scalar.timesGenerator() - transfer.point(bit, instance, other)
            precondition(!chosen.isIdentity, "a hash whose logarithm was drawn at random: never seen")
            // Of no use, but for the time: over both calls it is that of P for both bits of the points that are sent, which tells
            // no more than they do.
            _ = transfer.point(1 ^ bit, instance, chosen.encoded)

            func place(_ bit: Int) -> UnsafeMutableRawBufferPointer {
                let start = BaseTransfer.place(instance, bit)
                return UnsafeMutableRawBufferPointer(rebasing: message[start..<(start + Secp256k1.pointSize)])
            }
            place(0).copyBytes(from: chosen.encoded)
            place(1).copyBytes(from: other)
            Masks.exchange(place(0), place(1), where: mask)
        }

        /// The pad of its bit, 32 bytes for each instance.
        ///
        /// - Parameter answer: from the sender.
        /// - Throws: ``ThresholdError/malformed(_:)`` or ``ThresholdError/invalidElement``, whatever the bits are.
        borrowing func pads(answer: [UInt8]) throws(ThresholdError) -> SecretBytes {
            try BaseTransfer.check(size: answer)
            // All points are checked, so that which of them is bad tells the sender nothing.
            for instance in 0..<rows {
                for bit in 0...1 { _ = try BaseTransfer.point(bit, instance, of: answer) }
            }
            let hash = transfer.padHash(message: message)
            return SecretBytes(count: rows * seedSize) { pads in
                choice.withUnsafeBytes { choice in
                    answer.withUnsafeBytes { answer in
                        for instance in 0..<rows {
                            let mask = Masks.mask(choice, bit: instance)
                            BaseTransfer.pad(
                                hash, UInt8(truncatingIfNeeded: mask & 1), instance,
                                product(instance, of: answer, where: mask), to: pads.origin + instance * seedSize)
                        }
                    }
                }
            }
        }

        /// t·T_w.
        private borrowing func product(
            _ instance: Int, of answer: UnsafeRawBufferPointer, where mask: UInt64
        ) -> SecretBytes {
            var encoded = [UInt8](repeating: 0, count: Secp256k1.pointSize)
            encoded.withUnsafeMutableBytes {
                Masks.select(
                    answer.part(BaseTransfer.place(instance, 0), Secp256k1.pointSize),
                    answer.part(BaseTransfer.place(instance, 1), Secp256k1.pointSize), where: mask, to: $0)
            }
            defer { encoded.withUnsafeMutableBytes { wipe($0) } }
            do {
                let scalar = try SecretScalar<Secp256k1>(canonical: scalars.part(instance * seedSize, seedSize))
                return try scalar.sharedSecret(with: Secp256k1.Point(encoded: encoded))
            } catch { preconditionFailure("a scalar and a point that were checked are none: \(error)") }
        }
    }
}
