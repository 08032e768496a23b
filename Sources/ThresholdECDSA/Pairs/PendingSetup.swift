internal import Curves
internal import Secrets
public import Threshold

extension ECDSA.PairSetup {
    /// A participant whose pairs are all right, but which does not know whether the others' are.
    public struct Pending: ~Copyable, Sendable {
        /// The message for the coordinator: this participant's view of the set-up, with its signature.
        public let message: [UInt8]

        private let session: Session
        private let share: KeyShare<Secp256k1>
        private let pairs: [ECDSA.Pair]
        private let confirmation: Confirmation
        private let admission: SecretMemory.Admission

        init(
            session: Session, share: consuming KeyShare<Secp256k1>, pairs: [ECDSA.Pair], confirmation: Confirmation,
            admission: consuming SecretMemory.Admission
        ) {
            message = confirmation.encoded(from: share.index, in: session)
            self.session = session
            self.share = share
            self.pairs = pairs
            self.confirmation = confirmation
            self.admission = admission
        }

        /// A certificate in which all participants confirm the same, this one with its own confirmation.
        public struct Received: Sendable {
            fileprivate let own: Confirmation
            fileprivate let setup: [UInt8]
        }

        /// Checks the certificate, without changing the state: the right one may still come.
        ///
        /// - Parameter message: the coordinator's message.
        /// - Throws: `ThresholdError.pairSetup(_:)` with `PairSetupFault.coordinator` or
        ///   `PairSetupFault.mismatch(between:and:)`.
        public borrowing func read(_ message: [UInt8]) throws(ThresholdError) -> Received {
            let certificate: Certificate
            do { certificate = try Certificate(decoding: message, in: session) } catch {
                throw .pairSetup(.coordinator)
            }
            guard certificate.confirmations[share.index.value - 1] == confirmation,
                certificate.culprits(in: session).isEmpty
            else { throw .pairSetup(.coordinator) }
            return Received(own: confirmation, setup: try certificate.setup(in: session))
        }

        /// Takes the last step: the certificate gives a share to sign with.
        public consuming func activate(_ received: Received) -> ECDSA.KeyShare {
            precondition(received.own == confirmation, "a certificate that another set-up has read")
            // The memory is already reserved: nothing may be refused at this step.
            return ECDSA.KeyShare(
                key: share, epoch: session.epoch, setup: received.setup, pairs: pairs,
                admission: admission.kept(ECDSA.KeyShare.memory(pairs: pairs.count)))
        }

        /// Checks the certificate and takes the last step, in one call: a wrong certificate ends the pairing.
        ///
        /// - Throws: as ``read(_:)``.
        public consuming func activate(_ message: [UInt8]) throws(ThresholdError) -> ECDSA.KeyShare {
            let received = try read(message)
            return activate(received)
        }
    }
}
