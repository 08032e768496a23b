internal import Encoding

extension Sharing.Session {
    /// The encoded session, for participants that do not build it themselves. See `docs/formats/sharing-messages.md`.
    public var encoded: [UInt8] {
        Self.encode(
            origin, parameters.threshold, dealers, dealing: Array(members.prefix(dealers.count)), receiving: receiving)
    }

    /// Encodes fields of fixed size, or after their count: different sessions never have the same bytes.
    static func encode(
        _ origin: Sharing.Origin<Suite.Group>, _ threshold: Int, _ dealers: [ParticipantIndex],
        dealing: [Sharing.Member<Suite.Group>], receiving: [Sharing.Member<Suite.Group>]
    ) -> [UInt8] {
        var writer = MessageWriter<Suite.Group>(
            kind: .sharingSession, reserving: 1_024 + 65 * (dealing.count + receiving.count))
        writer.purpose(of: Suite.self)
        writer.count(threshold)
        writer.count(receiving.count)
        for member in receiving { writer.member(member) }
        switch origin {
        case .fresh: writer.byte(0)
        case .shares(let group, let epoch):
            writer.byte(1)
            writer.epoch(epoch)
            writer.prefixedBytes(group.encoded)
            writer.count(dealers.count)
            for (index, member) in zip(dealers, dealing) {
                writer.index(index)
                writer.member(member)
            }
        case .whole(let publicKey):
            writer.byte(2)
            writer.point(publicKey)
            if let member = dealing.first { writer.member(member) }
        }
        return writer.bytes
    }

    /// Reads a session that another participant has built.
    ///
    /// - Warning: Check that you want to take part in it: its origin, its parameters, and its host keys.
    /// - Throws: ``ThresholdError/malformed(_:)``, ``ThresholdError/invalidElement``, or as the other initialisers.
    public init(decoding bytes: [UInt8]) throws(ThresholdError) {
        var reader = try MessageReader<Suite.Group>(bytes, kind: .sharingSession)
        try reader.purpose(of: Suite.self)
        let threshold = Int(try reader.byte())
        let parameters = try ThresholdParameters(threshold: threshold, total: Int(try reader.byte()))
        let receiving = try reader.list(parameters.total) { reader throws(ThresholdError) in try reader.member() }
        let origin: Sharing.Origin<Suite.Group>
        var dealers = parameters.indices
        var dealing = receiving
        switch try reader.byte() {
        case 0: origin = .fresh
        case 1:
            let epoch = try reader.epoch()
            let group = try GroupKey<Suite.Group>(
                decoding: try reader.prefixedBytes(limit: ThresholdLimits.encodedMessageSize))
            origin = .shares(of: group, epoch: epoch)
            dealers = []
            dealing = []
            for _ in 0..<(try reader.count(0...ThresholdLimits.participants)) {
                let index = try reader.index()
                // Ascending, so that each session has one encoding.
                if let last = dealers.last, index <= last { throw .duplicateParticipant(index) }
                dealers.append(index)
                dealing.append(try reader.member())
            }
        case 2:
            origin = .whole(publicKey: try reader.point())
            dealers = [Self.importer]
            dealing = [try reader.member()]
        default: throw .malformed(.unsupported)
        }
        try reader.finish()
        try self.init(
            origin: origin, parameters: parameters, dealers: dealers, dealing: dealing, receiving: receiving)
    }
}
