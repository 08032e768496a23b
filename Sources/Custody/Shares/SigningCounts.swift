internal import Ceremonies
internal import Encoding
public import Threshold

/// The counts of a share: its record of ECDSA sessions and bans, kept over restarts until the next renewal
/// ([format](../../../docs/formats/sealed-share.md#counts)).
///
/// | bytes | what |
/// |---|---|
/// | 1 | format, 1 |
/// | 4 | unfinished sessions: charged, and without a recorded end, big-endian |
/// | 4 | signatures that failed although every check passed, big-endian |
/// | 1, then 1 each | the indices of the banned peers, ascending |
public struct SigningCounts: Equatable, Sendable {
    /// The number of unfinished sessions: they examined a peer's oblivious transfer, and have no recorded end. Running
    /// ones are included.
    public internal(set) var unfinished = 0
    /// The number of signatures that failed although every check passed.
    public internal(set) var failed = 0
    /// The peers that cheated.
    public internal(set) var banned: Set<ParticipantIndex> = []

    /// The number of ``unfinished`` sessions at which a share makes no more ECDSA signatures until the next renewal.
    public static var mostUnfinished: Int { Limits.unfinishedSignatures }
    /// The number of ``failed`` signatures at which a share makes no more ECDSA signatures until the next renewal.
    public static var mostFailed: Int { Limits.failedSignatures }
    /// The number of unfinished sessions, or of failed signatures, at which the user should be warned.
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

    /// Merges another record of the same share. No count decreases.
    mutating func merge(_ other: SigningCounts) {
        unfinished = max(unfinished, other.unfinished)
        failed = max(failed, other.failed)
        banned.formUnion(other.banned)
    }
}
