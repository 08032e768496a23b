public import Curves

/// The request to put a whole key together from shares: for leaving this library, and for nothing else.
///
/// - Warning: the secret that comes out is all that there is to the key, in one place, which is what this module exists to
///   avoid. From then on the shares protect nothing. Move what the key holds to a new one as soon as possible.
public struct KeyExport<Group: Curve>: Equatable, Sendable {
    /// What the caller says that it understands.
    public enum Danger: Sendable {
        /// Accepts that the whole key will exist in one place.
        case theWholeKeyWillExistInOnePlace
    }

    /// The key that is exported.
    public let group: GroupKey<Group>
    /// How often the shares were renewed.
    public let epoch: Int
    /// Whose shares are put together.
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

    /// Writes down that the key is exported, and only then lets it happen.
    ///
    /// - Parameter record: writes the request where it stays. If it throws, nothing is put together.
    /// - Throws: only what `record` throws.
    public func audited<Failure: Error>(
        _ record: (KeyExport) throws(Failure) -> Void
    ) throws(Failure) -> Assembly {
        try record(self)
        return Assembly(of: self)
    }

    /// An export that was written down: takes the shares one by one.
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
        /// - Parameter epoch: how often the share was renewed.
        /// - Throws: ``ThresholdError/wrongEpoch(expected:got:)`` or ``ThresholdError/wrongGroup`` for a share that does not
        ///   belong to the others, ``ThresholdError/unknownParticipant(_:)`` for one that was not asked for, or is there
        ///   already.
        public mutating func add(_ share: borrowing KeyShare<Group>, epoch: Int) throws(ThresholdError) {
            try share.group.check(epoch, isThatOf: request.group, request.epoch)
            guard let position = missing.firstIndex(of: share.index) else { throw .unknownParticipant(share.index) }
            missing.remove(at: position)
            let factor: Scalar<Group> = Lagrange.coefficient(of: share.index, among: request.indices)
            sum = sum + share.secret * factor
        }

        /// The whole secret.
        ///
        /// - Throws: ``ThresholdError/missingParticipant(_:)``, or ``ThresholdError/inconsistentKey`` if it is not that of
        ///   the public key.
        public consuming func secret() throws(ThresholdError) -> SecretScalar<Group> {
            if let first = missing.first { throw .missingParticipant(first) }
            guard sum.timesGenerator() == request.group.publicKey else { throw .inconsistentKey }
            return sum
        }
    }
}
