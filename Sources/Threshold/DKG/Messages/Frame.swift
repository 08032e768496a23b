internal import Curves

/// Each message names its session and, from a participant, its sender. The draft's own encoding follows.
extension MessageKind {
    package static let participantMessage1 = MessageKind(code: 0x20)
    package static let coordinatorMessage1 = MessageKind(code: 0x21)
    package static let participantMessage2 = MessageKind(code: 0x22)
    package static let coordinatorMessage2 = MessageKind(code: 0x23)
    package static let investigationMessage = MessageKind(code: 0x24)
    package static let recoveryData = MessageKind(code: 0x25)
    package static let acknowledgement = MessageKind(code: 0x26)
}

extension MessageWriter {
    /// Writes the header, the session's hash, and, in messages of or for one participant, its index.
    init<Suite>(_ kind: MessageKind, in session: DKG.Session<Suite>, participant index: ParticipantIndex? = nil)
    where Suite.Group == Group {
        self.init(kind: kind, reserving: 128 + 192 * session.parameters.total)
        bytes(session.hash)
        if let index { self.index(index) }
    }

    /// Writes a point, and the identity as zeros. The identity is not a valid key, but it may be a coefficient of a
    /// polynomial: if it were refused, the last participant to send its coefficients could make the sum invalid.
    mutating func pointOrIdentity(_ value: Group.Point) { bytes(value.encodedOrZeros) }
}

extension MessageReader {
    /// - Throws: ``ThresholdError/wrongGroup`` for another session, ``ThresholdError/unknownParticipant(_:)`` for
    ///   another participant than the expected one.
    init<Suite>(
        _ bytes: [UInt8], _ kind: MessageKind, in session: DKG.Session<Suite>,
        participant index: ParticipantIndex? = nil
    ) throws(ThresholdError) where Suite.Group == Group {
        try self.init(bytes, kind: kind)
        guard try self.bytes(32) == session.hash else { throw .wrongGroup }
        guard let index else { return }
        let found = try self.index()
        guard found == index else { throw .unknownParticipant(found) }
    }

    mutating func pointOrIdentity() throws(ThresholdError) -> Group.Point {
        let encoded = try bytes(Group.pointSize)
        guard encoded.contains(where: { $0 != 0 }) else { return .identity }
        do { return try Group.Point(encoded: encoded) } catch { throw .invalidElement }
    }

    /// Reads this many elements.
    mutating func list<Element>(
        _ count: Int, _ element: (inout Self) throws(ThresholdError) -> Element
    ) throws(ThresholdError) -> [Element] {
        var elements: [Element] = []
        for _ in 0..<count { elements.append(try element(&self)) }
        return elements
    }
}

extension CurvePoint {
    /// The encoding; zeros for the identity, which encode no other point on either curve.
    var encodedOrZeros: [UInt8] { isIdentity ? [UInt8](repeating: 0, count: Group.pointSize) : encoded }
}
