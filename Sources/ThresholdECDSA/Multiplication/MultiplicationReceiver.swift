internal import Curves
internal import Encoding
internal import Secrets
internal import Threshold

extension ECDSA {
    /// The receiver of a multiplication: it has the bits of a factor, and one pad of each transfer.
    struct MultiplicationReceiver: ~Copyable {
        let shares: ProductShares

        /// - Parameters:
        ///   - message: the sender's message.
        ///   - choice: the bits of the factor, in the first ``Multiplication/transfers`` bits.
        ///   - pads: the extension's pads, ``Multiplication/width`` for each transfer.
        ///   - base: the extension's e.
        /// - Throws: `ThresholdError.malformed(_:)`, `ThresholdError.invalidElement`, or
        ///   `ThresholdError.cheating(by:)` if the sender did not use the same numbers in all transfers.
        init(
            answering message: some Collection<UInt8>, from sender: ParticipantIndex, choice: borrowing SecretBytes,
            pads: borrowing SecretBytes, base: [UInt8], gadget: [Scalar<Secp256k1>]
        ) throws(ThresholdError) {
            guard message.count == Multiplication.messageSize else { throw .malformed(.truncated) }
            let corrections = Array(message.prefix(Multiplication.transfers * Multiplication.width * scalarSize))
            let rest = Array(message.dropFirst(corrections.count))
            let eta: Scalar<Secp256k1>
            let numbers: [Scalar<Secp256k1>]
            do {
                numbers = try Scalar.list(canonical: corrections)
                eta = try Scalar(canonical: rest[..<scalarSize])
            } catch { throw .invalidElement }

            func row(_ number: Int, of pads: borrowing SecretBytes, where choice: borrowing SecretBytes)
                -> SecretScalars<Secp256k1>
            {
                let terms = (0..<Multiplication.transfers).map { numbers[$0 * Multiplication.width + number] }
                return SecretScalars(reducing: pads, first: number, step: Multiplication.width)
                    .adding(terms, where: choice)
            }
            let row0 = row(0, of: pads, where: choice)
            let row1 = row(1, of: pads, where: choice)
            let row2 = row(2, of: pads, where: choice)
            let theta = Multiplication.challenge(base: base, corrections: corrections)
            let mu = (row2 + row0 * theta[0] + row1 * theta[1]).subtracting(eta, where: choice)
            guard constantTimeEquals(Multiplication.check(base: base, mu), Array(rest[scalarSize...])) else {
                throw .cheating(by: sender)
            }
            shares = ProductShares(first: row0.sum(weights: gadget), second: row1.sum(weights: gadget))
        }

        /// Returns the shares alone.
        consuming func takeShares() -> ProductShares { shares }
    }
}
