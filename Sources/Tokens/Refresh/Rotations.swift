internal import Encoding
internal import Time

/// The rotations of a family inside the window: the row's column `recent`.
///
/// In bytes: `version 1`, then for each, the oldest first, `hash 32 | time 8 | sealed successor 98`. The hash is that of the
/// redeemed token, the time is that of its first use.
public struct Rotations: Sendable, Equatable {
    /// A redeemed token.
    struct Rotation: Sendable, Equatable {
        let redeemed: [UInt8]
        let at: Timestamp
        let successor: SealedSuccessor

        static let size = 32 + 8 + SealedSuccessor.size
    }

    private static let version: UInt8 = 1

    /// The rotations, the oldest first; at most ``TokensLimits/recentRotations``.
    let entries: [Rotation]

    /// Creates an empty list, as for a new family.
    public init() { entries = [] }

    init(_ entries: [Rotation]) {
        precondition(entries.count <= TokensLimits.recentRotations, "a client that rotates more is told to slow down")
        self.entries = entries
    }

    /// Reads the form of ``encoded``. - Throws: ``TokensError/malformed(_:)`` for anything else.
    public init(decoding bytes: [UInt8]) throws(TokensError) {
        do {
            var reader = try ByteReader(bytes, limit: 1 + TokensLimits.recentRotations * Rotation.size)
            guard try reader.uint8() == Self.version else { throw TokensError.malformed(.rotations) }
            var entries: [Rotation] = []
            while reader.remaining > 0 {
                let hash = Array(try reader.bytes(32))
                let milliseconds = Int64(bitPattern: try reader.bigEndian(UInt64.self))
                let time = Timestamp(milliseconds: milliseconds)
                // Each list has one encoding: a time beyond the limits would be read as the limit; no token is redeemed
                // twice.
                guard time.milliseconds == milliseconds, !entries.contains(where: { $0.redeemed == hash }) else {
                    throw TokensError.malformed(.rotations)
                }
                let successor = SealedSuccessor(unchecked: Array(try reader.bytes(SealedSuccessor.size)))
                entries.append(Rotation(redeemed: hash, at: time, successor: successor))
            }
            self.entries = entries
        } catch {
            throw .malformed(.rotations)
        }
    }

    /// The encoding, 1 to 1,105 bytes.
    public var encoded: [UInt8] {
        var writer = ByteWriter(reserving: 1 + entries.count * Rotation.size)
        writer.append(Self.version)
        for entry in entries {
            writer.append(entry.redeemed)
            writer.bigEndian(UInt64(bitPattern: entry.at.milliseconds))
            writer.append(entry.successor.bytes)
        }
        return writer.bytes
    }
}
