public import Curves

/// A request to reconstruct a whole key from shares, only to export it from this library.
///
/// - Warning: The resulting secret is the whole key in one place, which this module exists to avoid. From then on the
///   shares protect nothing. Move all funds of the key to a new key as soon as possible.
public struct KeyExport<Group: Curve>: Equatable, Sendable {
    /// The danger that the caller accepts.
    public enum Danger: Sendable {
        /// Accepts that the whole key will exist in one place.
        case theWholeKeyWillExistInOnePlace
    }

    /// The key that is exported.
    public let group: GroupKey<Group>
    /// The epoch of the shares.
    public let epoch: Int
    /// The participants whose shares are combined.
    public let indices: [ParticipantIndex]

    /// Asks the participants of these indices for the whole key.
    ///
    /// - Throws: ``ThresholdError/unknownParticipant(_:)``, ``ThresholdError/duplicateParticipant(_:)`` or
    ///   ``ThresholdError/tooFewSigners(needed:)``.
    public init(
        of group: GroupKey<Group>, epoch: Int, from indices: [ParticipantIndex], danger: Danger
    ) throws(ThresholdError) {
        try group.parameters.check(signers: indices)
        self.group = group
        self.epoch = epoch
        self.indices = indices.sorted()
    }

    /// Records that the key is exported, and only then allows it.
    ///
    /// - Parameter record: stores the request durably. If it throws, nothing is combined.
    /// - Throws: only the errors of `record`.
    public func audited<Failure: Error>(
        _ record: (KeyExport) throws(Failure) -> Void
    ) throws(Failure) -> Assembly {
        try record(self)
        return Assembly(of: self)
    }

    /// A recorded export, which takes the shares one by one.
    public struct Assembly: ~Copyable, Sendable {
        private let request: KeyExport
        private var sum: SecretScalar<Group>
        private var missing: [ParticipantIndex]

        fileprivate init(of request: KeyExport) {
            self.request = request
            sum = SecretScalar(.zero)
            missing = request.indices
        }

        /// Adds a share, times its factor.
        ///
        /// - Parameter epoch: the epoch of the share.
        /// - Throws: ``ThresholdError/wrongEpoch(expected:got:)`` or ``ThresholdError/wrongGroup`` for a share that
        ///   does not belong to the others, ``ThresholdError/unknownParticipant(_:)`` for one that was not requested,
        ///   or is there already.
        public mutating func add(_ share: borrowing KeyShare<Group>, epoch: Int) throws(ThresholdError) {
            try share.group.check(epoch, isThatOf: request.group, request.epoch)
            guard let position = missing.firstIndex(of: share.index) else { throw .unknownParticipant(share.index) }
            missing.remove(at: position)
            let factor: Scalar<Group> = Lagrange.coefficient(of: share.index, among: request.indices)
            sum = sum + share.secret * factor
        }

        /// Returns the whole secret.
        ///
        /// - Throws: ``ThresholdError/missingParticipant(_:)``, or ``ThresholdError/inconsistentKey`` if it is not the
        ///   secret of the public key.
        public consuming func secret() throws(ThresholdError) -> SecretScalar<Group> {
            if let first = missing.first { throw .missingParticipant(first) }
            guard sum.timesGenerator() == request.group.publicKey else { throw .inconsistentKey }
            return sum
        }
    }
}
