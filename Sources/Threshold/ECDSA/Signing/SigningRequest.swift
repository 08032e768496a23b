public import Curves

extension ECDSA {
    /// What is to be signed, by whom and for which key: agreed on before a session begins, and bound into all of it.
    public struct SigningRequest: Equatable, Sendable {
        /// As many as the threshold, ascending.
        public let signers: [ParticipantIndex]
        /// The signature is for the group's key plus this multiple of the generator: the sum of the steps of an unhardened
        /// derivation (BIP-32), or zero.
        public let tweak: Scalar<Secp256k1>
        /// The 32 bytes to sign; nothing for a presignature, which takes them later.
        public let message: [UInt8]?

        /// Creates a request to these signers.
        ///
        /// - Throws: ``ThresholdError/duplicateParticipant(_:)``, or ``ThresholdError/wrongMessage`` for a message that has not
        ///   32 bytes.
        public init(
            signers: [ParticipantIndex], tweak: Scalar<Secp256k1> = .zero, message: [UInt8]?
        ) throws(ThresholdError) {
            let signers = signers.sorted()
            for (one, next) in zip(signers, signers.dropFirst()) where one == next { throw .duplicateParticipant(one) }
            guard message == nil || message?.count == 32 else { throw .wrongMessage }
            self.signers = signers
            self.tweak = tweak
            self.message = message
        }

        /// The key that signs.
        ///
        /// - Throws: ``ThresholdError/invalidTweak`` if the tweak leads to none.
        public func publicKey(of group: GroupKey<Secp256k1>) throws(ThresholdError) -> Secp256k1.Point {
            let key = group.publicKey + .generator.multipliedVariableTime(by: tweak)
            guard !key.isIdentity else { throw .invalidTweak }
            return key
        }

        /// Checks that these are signers of the group, exactly as many as the threshold.
        ///
        /// - Throws: ``ThresholdError/unknownParticipant(_:)``, ``ThresholdError/tooFewSigners(needed:)`` or
        ///   ``ThresholdError/tooManySigners(needed:)``.
        func check(for parameters: ThresholdParameters) throws(ThresholdError) {
            try parameters.check(signers: signers)
            guard signers.count == parameters.threshold else {
                throw .tooManySigners(needed: parameters.threshold)
            }
        }

        /// What the whole session is bound to.
        func context(group: GroupKey<Secp256k1>, setup: [UInt8], epoch: Int) -> [UInt8] {
            Oracle.hash(
                "signing", group.fingerprint, setup, bytes(of: epoch), signers.map { UInt8($0.value) }, tweak.encoded,
                message.map { [1] + $0 } ?? [0])
        }
    }

    /// An epoch in four bytes.
    static func bytes(of epoch: Int) -> [UInt8] {
        (0..<4).reversed().map { UInt8(truncatingIfNeeded: epoch >> (8 * $0)) }
    }
}
