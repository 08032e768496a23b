/// The result of verifying a log.
public struct VerificationReport: Equatable, Sendable {
    /// Something that verification found.
    public enum Finding: Equatable, Sendable {
        /// The log has another origin or another reader than the expected one.
        case otherLog
        /// Entries from one sequence number to another are missing: a file was removed.
        case gap(from: UInt64, to: UInt64)
        /// The bytes at this entry are not well formed.
        case damaged(sequence: UInt64)
        /// This entry is not the one that was committed at its place: it was changed, removed, repeated or moved.
        case changed(sequence: UInt64)
        /// The log ends before an entry that a checkpoint contains.
        case truncated(size: UInt64, expected: UInt64)
        /// The log differs from a checkpoint. The first changed entry is at or after `after`, and before `before`.
        case forked(after: UInt64, before: UInt64)
        /// The seal of this entry is not by the key of its epoch: it was forged by someone without the key, or moved.
        case forged(sequence: UInt64)
        /// The entry belongs to an epoch that did not begin before it.
        case epochMissing(sequence: UInt64)
        /// The epoch that begins here was not made from the one before: the log was continued by someone without the
        /// earlier secret, or with a lost one.
        case chainBroken(sequence: UInt64)
        /// The record in this entry is not well formed, although its seal is valid.
        case unreadable(sequence: UInt64)
        /// The stored hashes from this entry on are not those of the entries. They can be made again.
        case hashesDiffer(sequence: UInt64)
        /// A commit was not finished. Its entries were not acknowledged.
        case unfinishedCommit(sequence: UInt64, bytes: Int)
        /// The clock went back by this much before this entry.
        case clockWentBack(sequence: UInt64, milliseconds: UInt64)

        /// Whether the log is not what its writer wrote. The other findings are remarkable, and can happen in order.
        public var isFault: Bool {
            switch self {
            case .hashesDiffer, .unfinishedCommit, .clockWentBack: false
            default: true
            }
        }

        /// The first sequence number that is affected.
        var sequence: UInt64 {
            switch self {
            case .otherLog: 0
            case .gap(let sequence, _), .damaged(let sequence), .changed(let sequence), .forged(let sequence),
                .epochMissing(let sequence), .chainBroken(let sequence), .unreadable(let sequence),
                .hashesDiffer(let sequence), .unfinishedCommit(let sequence, _), .clockWentBack(let sequence, _):
                sequence
            case .truncated(let size, _): size
            case .forked(let after, _): after
            }
        }
    }

    /// The number of entries whose place in the tree was verified.
    public let size: UInt64
    /// The root of these entries.
    public let root: TreeHash
    /// The findings in the order of their discovery.
    public let findings: [Finding]

    /// Whether the log is what its writer wrote, as far as the checkpoints reach.
    public var isSound: Bool { !findings.contains { $0.isFault } }

    /// The first sequence number that a fault affects; nil for a sound log.
    public var firstBad: UInt64? { findings.filter(\.isFault).map(\.sequence).min() }
}
