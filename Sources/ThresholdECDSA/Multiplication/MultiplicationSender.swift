internal import Curves
internal import Secrets

extension ECDSA {
    /// The sender of a multiplication: it has two numbers, and both pads of each transfer.
    struct MultiplicationSender: ~Copyable {
        /// The message for the receiver.
        let message: [UInt8]
        let shares: ProductShares

        /// - Parameters:
        ///   - first, second: the numbers.
        ///   - check: a random number that hides them in the check.
        ///   - pads: the extension's pads, ``Multiplication/width`` for each transfer.
        ///   - base: the extension's e.
        ///   - gadget: ``Multiplication/gadget(session:)``.
        init(
            _ first: borrowing SecretScalar<Secp256k1>, _ second: borrowing SecretScalar<Secp256k1>,
            check: borrowing SecretScalar<Secp256k1>, pads: borrowing SenderPads, base: [UInt8],
            gadget: [Scalar<Secp256k1>]
        ) {
            // α⁰ of both numbers and of the check scalar.
            let zero0 = Self.row(0, of: pads.zero)
            let zero1 = Self.row(1, of: pads.zero)
            let zero2 = Self.row(2, of: pads.zero)
            let corrections = Scalar<Secp256k1>.encoded(interleaving: [
                (zero0 - Self.row(0, of: pads.one) + first).revealed(),
                (zero1 - Self.row(1, of: pads.one) + second).revealed(),
                (zero2 - Self.row(2, of: pads.one) + check).revealed(),
            ])
            let theta = Multiplication.challenge(base: base, corrections: corrections)
            let eta = check + first * theta[0] + second * theta[1]
            let mu = zero2 + zero0 * theta[0] + zero1 * theta[1]
            message = corrections + eta.revealed().encoded + Multiplication.check(base: base, mu)
            shares = ProductShares(
                first: zero0.sum(weights: gadget).negated(), second: zero1.sum(weights: gadget).negated())
        }

        /// Returns the shares alone.
        consuming func takeShares() -> ProductShares { shares }

        private static func row(_ number: Int, of pads: borrowing SecretBytes) -> SecretScalars<Secp256k1> {
            SecretScalars(reducing: pads, first: number, step: Multiplication.width)
        }
    }
}
