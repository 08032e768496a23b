public import Curves
public import Threshold

extension ECDSA {
    /// The terms of a signature: signers, key and message. They are agreed on before a session begins, and bound into
    /// all of it.
    public struct SigningRequest: Equatable, Sendable {
        /// The signers: exactly a threshold of participants, ascending.
        public let signers: [ParticipantIndex]
        /// The tweak: the signature is for the group key plus this multiple of the generator. It is the sum of the
        /// steps of an unhardened derivation (BIP-32), or zero.
        public let tweak: Scalar<Secp256k1>
        /// The 32 bytes to sign; nil for a presignature, which gets them later.
        public let message: [UInt8]?

        /// Creates a request to these signers.
        ///
        /// - Throws: `ThresholdError.duplicateParticipant(_:)`, or `ThresholdError.wrongMessage` for a message that
        ///   does not have 32 bytes.
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

        /// Returns the key that signs.
        ///
        /// - Throws: `ThresholdError.invalidTweak` if the tweaked key is invalid.
        public func publicKey(of group: GroupKey<Secp256k1>) throws(ThresholdError) -> Secp256k1.Point {
            let key = group.publicKey + .generator.multipliedVariableTime(by: tweak)
            guard !key.isIdentity else { throw .invalidTweak }
            return key
        }

        /// Checks that these are exactly a threshold of the group's participants.
        ///
        /// - Throws: `ThresholdError.unknownParticipant(_:)`, `ThresholdError.tooFewSigners(needed:)` or
        ///   `ThresholdError.tooManySigners(needed:)`.
        func check(for parameters: ThresholdParameters) throws(ThresholdError) {
            try parameters.check(signers: signers)
            guard signers.count == parameters.threshold else {
                throw .tooManySigners(needed: parameters.threshold)
            }
        }

        /// Returns the context to which the whole session is bound.
        func context(group: GroupKey<Secp256k1>, setup: [UInt8], epoch: Int) -> [UInt8] {
            TaggedHash.hash(
                "signing", group.fingerprint, setup, bytes(of: epoch), signers.map { UInt8($0.value) }, tweak.encoded,
                message.map { [1] + $0 } ?? [0])
        }
    }

    /// Returns an epoch in four bytes.
    static func bytes(of epoch: Int) -> [UInt8] {
        (0..<4).reversed().map { UInt8(truncatingIfNeeded: epoch >> (8 * $0)) }
    }
}
