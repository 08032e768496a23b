internal import Crypto
internal import Secrets
internal import Time

/// Opens the entries of a log in order, and checks that each epoch continues the one before.
struct EntryOpening {
    private final class Held {
        let secret: EpochSecret
        init(_ secret: consuming EpochSecret) { self.secret = secret }
    }

    private let log: TreeHash
    private var current: (epoch: UInt32, key: SymmetricKey)?
    /// The possible predecessors of the next epoch: the secret of the last epoch with entries, and those after it.
    private var held: [Held] = []
    private var lastWithEntries: UInt32?
    private var lastWall: Timestamp?

    init(log: TreeHash) { self.log = log }

    /// Opens the next entry.
    mutating func open(
        _ bytes: ArraySlice<UInt8>, sequence: UInt64, _ key: ReaderKey?
    ) -> (record: AuditRecord?, findings: [VerificationReport.Finding]) {
        guard let entry = SealedEntry(decoding: bytes) else { return (nil, [.forged(sequence: sequence)]) }
        var findings: [VerificationReport.Finding] = []
        if let opening = entry.opening {
            findings += begin(entry.epoch, opening, sequence: sequence, key)
        }
        guard let current, current.epoch == entry.epoch else {
            return (nil, findings.isEmpty ? [.epochMissing(sequence: sequence)] : findings)
        }
        if entry.opening == nil { lastWithEntries = entry.epoch }
        switch entry.open(key: current.key, log: log, sequence: sequence) {
        case .forged: return (nil, findings + [.forged(sequence: sequence)])
        case .unreadable: return (nil, findings + [.unreadable(sequence: sequence)])
        case .record(let record):
            if let lastWall {
                let back = lastWall.since(record.wall).milliseconds
                if back > AuditLimits.clockTolerance {
                    findings.append(.clockWentBack(sequence: sequence, milliseconds: UInt64(back)))
                }
            }
            lastWall = record.wall
            return (record, findings)
        }
    }

    private mutating func begin(
        _ epoch: UInt32, _ opening: SealedEntry.Opening, sequence: UInt64, _ key: ReaderKey?
    ) -> [VerificationReport.Finding] {
        let context = Envelope.context(log: log, sequence: sequence)
        let before = current?.epoch
        current = nil
        guard let content = key?.open(opening.envelope, context: context) else { return [.forged(sequence: sequence)] }
        let fresh = content.prefix(32)
        let secret = EpochSecret(epoch: epoch, content.suffix(32))
        let follows = before.map { epoch > $0 && epoch - $0 == 1 } ?? (epoch == 0)
        let isMade = isMade(secret, of: opening.predecessor, fresh: fresh)
        current = (epoch, secret.entryKey())
        if let predecessor = opening.predecessor { held.removeAll { $0.secret.epoch < predecessor } }
        held.append(Held(secret))
        return follows && isMade ? [] : [.chainBroken(sequence: sequence)]
    }

    /// Returns whether the secret was made of its predecessor's, and no epoch with entries was left out.
    private func isMade(
        _ secret: borrowing EpochSecret, of predecessor: UInt32?, fresh: borrowing SecretBytes
    ) -> Bool {
        guard let predecessor else {
            return lastWithEntries == nil
                && EpochSecret(first: secret.epoch, fresh: fresh, of: log).matches(secret)
        }
        guard predecessor >= lastWithEntries ?? 0, let earlier = held.first(where: { $0.secret.epoch == predecessor })
        else { return false }
        return earlier.secret.next(secret.epoch, fresh: fresh, of: log).matches(secret)
    }
}
