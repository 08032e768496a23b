internal import Ceremonies
internal import Encoding
public import Threshold

/// What must not be forgotten of a share's ECDSA sessions, over restarts and until the shares are renewed
/// ([format](../../../docs/formats/sealed-share.md#counts)).
///
/// | bytes | what |
/// |---|---|
/// | 1 | format, 1 |
/// | 4 | sessions that were charged and not seen to end well, big-endian |
/// | 4 | signatures that failed although every check passed, big-endian |
/// | 1, then 1 each | the indices of the banned peers, ascending |
public struct SigningCounts: Equatable, Sendable {
    /// How many sessions looked into a peer's oblivious transfer, and were not seen to end well. Those that run are among them.
    public internal(set) var unfinished = 0
    /// How many signatures failed although every check passed.
    public internal(set) var failed = 0
    /// The peers that have cheated.
    public internal(set) var banned: Set<ParticipantIndex> = []

    /// With so many of ``unfinished`` a share makes no ECDSA signatures any more, until the shares are renewed.
    public static var mostUnfinished: Int { Limits.unfinishedSignatures }
    /// With so many of ``failed`` it does not either.
    public static var mostFailed: Int { Limits.failedSignatures }
    /// From so many of either on the person should know.
    public static var alarming: Int { Limits.alarmingSignatures }

    private static let format: UInt8 = 1

    var encoded: [UInt8] {
        var writer = ByteWriter()
        writer.append(Self.format)
        writer.bigEndian(UInt32(unfinished))
        writer.bigEndian(UInt32(failed))
        writer.append(UInt8(banned.count))
        writer.append(banned.sorted().map { UInt8($0.value) })
        return writer.bytes
    }

    init(unfinished: Int = 0) { self.unfinished = unfinished }

    /// - Throws: ``CustodyError/malformedRecord``.
    init(decoding bytes: [UInt8]) throws(CustodyError) {
        do {
            var reader = try ByteReader(bytes, limit: 10 + Limits.parties)
            guard try reader.uint8() == Self.format else { throw EncodingError.unsupported }
            unfinished = Int(try reader.bigEndian(UInt32.self))
            failed = Int(try reader.bigEndian(UInt32.self))
            let indices = try reader.bytes(Int(try reader.uint8())).map(Int.init)
            guard zip(indices, indices.dropFirst()).allSatisfy(<) else { throw EncodingError.notCanonical }
            banned = Set(try participantIndices(indices))
            try reader.finish()
        } catch {
            throw .malformedRecord
        }
    }

    /// Takes what another record of the same share counts into account: nothing becomes less by it.
    mutating func merge(_ other: SigningCounts) {
        unfinished = max(unfinished, other.unfinished)
        failed = max(failed, other.failed)
        banned.formUnion(other.banned)
    }
}
