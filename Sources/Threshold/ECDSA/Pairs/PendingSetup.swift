internal import Curves
internal import Secrets

extension ECDSA.PairSetup {
    /// A participant after all its pairs are well: but nobody knows yet whether the others' are.
    public struct Pending: ~Copyable, Sendable {
        /// For the coordinator: what this participant has seen, under its signature.
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

        /// A certificate in which all participants confirm the same, this one as it did.
        public struct Received: Sendable {
            fileprivate let own: Confirmation
            fileprivate let setup: [UInt8]
        }

        /// Checks the certificate, and uses nothing up: the right one may still come.
        ///
        /// - Parameter message: from the coordinator.
        /// - Throws: ``ThresholdError/pairSetup(_:)`` with ``Fault/coordinator`` or ``Fault/mismatch(between:and:)``.
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

        /// The last step: with the certificate of all there is a share to sign with.
        public consuming func activate(_ received: Received) -> ECDSA.KeyShare {
            precondition(received.own == confirmation, "a certificate that another set-up has read")
            // Room that it has already: at this step nothing may be refused any more.
            return ECDSA.KeyShare(
                key: share, epoch: session.epoch, setup: received.setup, pairs: pairs,
                admission: admission.kept(ECDSA.KeyShare.memory(pairs: pairs.count)))
        }

        /// Checks the certificate and takes the last step, in one: a wrong certificate ends the set-up.
        ///
        /// - Throws: as ``read(_:)``.
        public consuming func activate(_ message: [UInt8]) throws(ThresholdError) -> ECDSA.KeyShare {
            let received = try read(message)
            return activate(received)
        }
    }
}
