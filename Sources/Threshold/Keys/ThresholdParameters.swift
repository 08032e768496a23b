/// The threshold t and the number of participants n.
public struct ThresholdParameters: Equatable, Sendable {
    /// The number of participants that are needed to sign (t).
    public let threshold: Int
    /// The number of participants (n).
    public let total: Int

    /// Creates the parameters of `threshold` signers among `total` participants.
    ///
    /// - Throws: ``ThresholdError/invalidParameters`` unless 2 <= threshold <= total <= 15.
    public init(threshold: Int, total: Int) throws(ThresholdError) {
        guard threshold >= ThresholdLimits.smallestThreshold, threshold <= total, total <= ThresholdLimits.participants
        else {
            throw .invalidParameters
        }
        self.init(uncheckedThreshold: threshold, total: total)
    }

    /// Creates parameters of published vectors that are outside our limits. Not for other uses.
    package init(uncheckedThreshold threshold: Int, total: Int) {
        self.threshold = threshold
        self.total = total
    }

    /// All indices, ascending.
    public var indices: [ParticipantIndex] { (1...total).map(ParticipantIndex.init(unchecked:)) }

    /// Returns whether this participant belongs to the group.
    public func contains(_ index: ParticipantIndex) -> Bool { index.value <= total }

    /// Checks that these participants can sign: all belong to the group, none occurs twice, and they reach the
    /// threshold.
    ///
    /// - Throws: ``ThresholdError/unknownParticipant(_:)``, ``ThresholdError/duplicateParticipant(_:)`` or
    ///   ``ThresholdError/tooFewSigners(needed:)``.
    public func check(signers: [ParticipantIndex]) throws(ThresholdError) {
        var seen: Set<ParticipantIndex> = []
        for index in signers {
            guard contains(index) else { throw .unknownParticipant(index) }
            guard seen.insert(index).inserted else { throw .duplicateParticipant(index) }
        }
        guard seen.count >= threshold else { throw .tooFewSigners(needed: threshold) }
    }
}
