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
    ///   - session: the identity of the session, as one knows it who does not ask the signers: of one's own presignature
    ///     (``Presignature/id``), or worked out from the first messages (``sessionID(after:of:)``).
    ///   - message: 32 bytes.
    /// - Throws: ``ThresholdError/missingParticipant(_:)``, ``ThresholdError/unknownParticipant(_:)``,
    ///   ``ThresholdError/duplicateParticipant(_:)``, ``ThresholdError/wrongMessage``, ``ThresholdError/invalidTweak``,
    ///   ``ThresholdError/faulty(culprits:)`` with all whose part is of another session (``PartialSignature/id``), or
    ///   ``ThresholdError/failedSignature``: one of the signers was wrong, and nobody can tell which. The session is over:
    ///   what was made in it must not be used again.
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
        // Compared with each other, the parts would not tell who is wrong: one wrong signer could put the blame on the others.
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
        // Bit 0: the parity of the nonce's y, which a negated s turns over. Bit 1: whether its x was above the group's order.
        let isOdd = nonce.hasEvenY == isNegated
        let isReduced = r.encoded != nonce.xOnly
        return RecoverableSignature(signature: signature, recoveryID: (isOdd ? 1 : 0) | (isReduced ? 2 : 0))
    }
}
