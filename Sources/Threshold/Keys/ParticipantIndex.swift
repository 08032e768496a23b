/// A participant's index, from 1 to 15, which is also the place of its share on the secret polynomial.
///
/// Zero is not an index: the polynomial's value there is the secret key itself. As indices are at most 15, two
/// different ones are never equal modulo the group order.
public struct ParticipantIndex: Hashable, Comparable, Sendable {
    /// The index, 1...15.
    public let value: Int

    /// Creates the index of a participant.
    ///
    /// - Throws: ``ThresholdError/invalidParameters`` unless 1 <= value <= 15.
    public init(_ value: Int) throws(ThresholdError) {
        guard value >= 1, value <= ThresholdLimits.participants else { throw .invalidParameters }
        self.init(unchecked: value)
    }

    /// Creates an index that is in range by construction, or one of a published vector outside our limits.
    package init(unchecked value: Int) {
        precondition(value >= 1, "a participant's number is positive: zero is the secret key's place")
        self.value = value
    }

    public static func < (left: ParticipantIndex, right: ParticipantIndex) -> Bool { left.value < right.value }
}

extension [ParticipantIndex: [UInt8]] {
    /// Returns one message of each of these senders, in their order.
    ///
    /// - Throws: ``ThresholdError/unknownParticipant(_:)`` for a message of another sender, else
    ///   ``ThresholdError/missingParticipant(_:)``.
    package func ordered(
        from senders: [ParticipantIndex]
    ) throws(ThresholdError) -> [(sender: ParticipantIndex, bytes: [UInt8])] {
        if let stranger = keys.sorted().first(where: { !senders.contains($0) }) { throw .unknownParticipant(stranger) }
        var messages: [(sender: ParticipantIndex, bytes: [UInt8])] = []
        for sender in senders {
            guard let bytes = self[sender] else { throw .missingParticipant(sender) }
            messages.append((sender, bytes))
        }
        return messages
    }
}
