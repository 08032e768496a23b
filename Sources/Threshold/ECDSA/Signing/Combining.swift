public import Curves

extension ECDSA {
    /// A signature, with what tells the key that made it.
    public struct RecoverableSignature: Equatable, Sendable {
        /// With a low s.
        public let signature: ECDSASignature
        /// 0 to 3: which of the points with this r was the nonce's (SEC 1, 4.1.6).
        public let recoveryID: Int
    }

    /// Adds the parts of all signers up to a signature, and verifies it before anybody sees it.
    ///
    /// - Parameters:
    ///   - parts: one of each signer.
    ///   - request: what they signed; its message may be given here only.
    ///   - message: 32 bytes.
    /// - Throws: ``ThresholdError/missingParticipant(_:)``, ``ThresholdError/unknownParticipant(_:)``,
    ///   ``ThresholdError/duplicateParticipant(_:)``, ``ThresholdError/wrongMessage``, ``ThresholdError/invalidTweak``,
    ///   ``ThresholdError/disagreement(with:)`` for parts of different sessions (``PartialSignature/id``), or
    ///   ``ThresholdError/failedSignature``: one of the signers was wrong, and nobody can tell which. The session is over:
    ///   what was made in it must not be used again.
    public static func combine(
        _ parts: [PartialSignature], of request: SigningRequest, message: [UInt8], in group: GroupKey<Secp256k1>
    ) throws(ThresholdError) -> RecoverableSignature {
        try request.check(for: group.parameters)
        guard message.count == 32, request.message == nil || request.message == message else { throw .wrongMessage }
        var missing = Set(request.signers)
        for part in parts where missing.remove(part.index) == nil {
            throw request.signers.contains(part.index)
                ? .duplicateParticipant(part.index) : .unknownParticipant(part.index)
        }
        if let index = missing.min() { throw .missingParticipant(index) }
        guard let first = parts.first else { throw .failedSignature }
        // Whoever combines can have mixed up two sessions of the same signers: none of them is to blame for it.
        if let other = parts.first(where: { $0.id != first.id }) { throw .disagreement(with: other.index) }
        let nonce = first.nonce
        guard parts.allSatisfy({ $0.nonce == nonce }) else { throw .failedSignature }

        let numerator = parts.reduce(.zero) { $0 + $1.numerator }
        let denominator = parts.reduce(.zero) { $0 + $1.denominator }
        let r = Scalar<Secp256k1>(reducing: nonce.xOnly)
        guard let inverse = try? denominator.inverted(),
            let (signature, isNegated) = try? ECDSASignature.normalised(r: r, s: numerator * inverse),
            signature.isValid(message: message, publicKey: try request.publicKey(of: group))
        else { throw .failedSignature }
        // Bit 0: the parity of the nonce's y, which a negated s turns over. Bit 1: whether its x was above the group's order.
        let isOdd = nonce.hasEvenY == isNegated
        let isReduced = r.encoded != nonce.xOnly
        return RecoverableSignature(signature: signature, recoveryID: (isOdd ? 1 : 0) | (isReduced ? 2 : 0))
    }
}
