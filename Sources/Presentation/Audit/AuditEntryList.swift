package import AuditLog
internal import Texts

/// The last entries of an audit log, or those from a number on. The entries are added in order.
package struct AuditEntryList {
    private let first: UInt64?
    private let count: Int
    private let hasOpenings: Bool
    private var entries: [AuditEntryView] = []
    /// The admissions that have an end.
    private var ended: Set<UInt64> = []

    /// - Parameters:
    ///   - first: the number of the first entry; nil for the last entries.
    ///   - count: the maximum number of entries.
    ///   - hasOpenings: whether to list the entries that say only that the log was opened or closed.
    package init(from first: UInt64?, count: Int, hasOpenings: Bool) {
        (self.first, self.count, self.hasOpenings) = (first, count, hasOpenings)
    }

    /// Adds the next entry of the log.
    package mutating func add(_ record: AuditRecord, at sequence: UInt64) {
        if let admission = AuditEntryView.admission(endedBy: record) { ended.insert(admission) }
        guard sequence >= first ?? 0, first == nil || entries.count < count else { return }
        let entry = AuditEntryView(record, at: sequence)
        guard hasOpenings || !entry.isOfOpening else { return }
        // Of a long log only the last entries are kept.
        if entries.count == 2 * count { entries.removeFirst(count) }
        entries.append(entry)
    }

    /// The listed entries. An admission that no entry of the log ends is marked.
    package var listed: [AuditEntryView] {
        entries.suffix(count).map { entry in
            var entry = entry
            entry.markUnended(besides: ended)
            return entry
        }
    }

    /// The table of the entries.
    ///
    /// - Parameter isOfWallet: whether the log is that of one wallet, which need not be named in each row.
    package func text(isOfWallet: Bool) -> String {
        Table([AuditEntryView.titles(isOfWallet: isOfWallet)] + listed.map { $0.cells(isOfWallet: isOfWallet) }).text
    }
}
