public import Curves
public import Threshold

extension ECDSA {
    /// A signature with its recovery id, from which the public key can be computed.
    public struct RecoverableSignature: Equatable, Sendable {
        /// The signature, with a low s.
        public let signature: ECDSASignature
        /// The recovery id, 0 to 3: the point with this r that was the nonce's (SEC 1, 4.1.6).
        public let recoveryID: Int
    }

    /// Adds up the partial signatures of all signers, and verifies the result before it returns it.
    ///
    /// - Parameters:
    ///   - parts: the partial signature of each signer.
    ///   - request: the request that they signed; its message may be given here only.
    ///   - session: the identity of the session, known without asking the signers: of one's own presignature
    ///     (``Presignature/id``), or computed from the first messages (``sessionID(after:of:)``).
    ///   - message: 32 bytes.
    /// - Throws: `ThresholdError.missingParticipant(_:)`, `ThresholdError.unknownParticipant(_:)`,
    ///   `ThresholdError.duplicateParticipant(_:)`, `ThresholdError.wrongMessage`, `ThresholdError.invalidTweak`,
    ///   `ThresholdError.faulty(culprits:)` with all signers whose part is of another session
    ///   (``PartialSignature/id``), or `ThresholdError.failedSignature`: one of the signers was wrong, and it is
    ///   unknown which. The session is over: nothing that was made in it may be used again.
    public static func combine(
        _ parts: [PartialSignature], of request: SigningRequest, in session: [UInt8], message: [UInt8],
        for group: GroupKey<Secp256k1>
    ) throws(ThresholdError) -> RecoverableSignature {
        try request.check(for: group.parameters)
        guard message.count == 32, request.message == nil || request.message == message else { throw .wrongMessage }
        var missing = Set(request.signers)
        for part in parts where missing.remove(part.index) == nil {
            throw request.signers.contains(part.index)
                ? .duplicateParticipant(part.index) : .unknownParticipant(part.index)
        }
        if let index = missing.min() { throw .missingParticipant(index) }
        // Comparing the parts with each other would not reveal the culprit: one wrong signer could put the blame on the
        // others.
        let strangers = parts.filter { $0.id != session }.map(\.index)
        guard strangers.isEmpty else { throw .faulty(culprits: strangers.sorted()) }
        guard let nonce = parts.first?.nonce, parts.allSatisfy({ $0.nonce == nonce }) else { throw .failedSignature }

        let numerator = parts.reduce(.zero) { $0 + $1.numerator }
        let denominator = parts.reduce(.zero) { $0 + $1.denominator }
        let r = Scalar<Secp256k1>(reducing: nonce.xOnly)
        guard let inverse = try? denominator.inverted(),
            let (signature, isNegated) = try? ECDSASignature.normalised(r: r, s: numerator * inverse),
            signature.isValid(message: message, publicKey: try request.publicKey(of: group))
        else { throw .failedSignature }
        // Bit 0: the parity of the nonce's y, which a negated s inverts. Bit 1: whether its x was at least the group
        // order.
        let isOdd = nonce.hasEvenY == isNegated
        let isReduced = r.encoded != nonce.xOnly
        return RecoverableSignature(signature: signature, recoveryID: (isOdd ? 1 : 0) | (isReduced ? 2 : 0))
    }
}
