package import AuditLog
internal import Encoding
package import Texts

/// The result of verifying an audit log.
package struct AuditReportView: ResultView {
    package struct Finding: Encodable {
        /// A stable word: `changed`, `truncated`, `forked`, …
        let kind: String
        /// The first entry that the finding is about.
        let entry: UInt64
        /// Whether the log is not the one that was written. The other findings can happen in order.
        let fault: Bool
        let text: String
    }

    let origin: String
    let reader: String
    /// The public key that signs the log's checkpoints, if it is known: a witness needs it.
    let logKey: String?
    let size: UInt64
    let root: String
    let sound: Bool
    /// The number of checkpoints with which the log was compared.
    let checkpoints: Int
    let findings: [Finding]

    /// Creates a view.
    ///
    /// - Parameters:
    ///   - logKey: the key that signs the log's checkpoints, if it is known.
    ///   - checkpoints: the number of checkpoints with which the log was compared.
    package init(
        _ report: VerificationReport, of identity: LogIdentity, logKey: NoteKey?, checkpoints: Int
    ) {
        origin = identity.origin
        reader = Hex.encode(identity.reader)
        self.logKey = logKey?.text
        size = report.size
        root = Hex.encode(report.root.bytes)
        sound = report.isSound
        self.checkpoints = checkpoints
        findings = report.findings.map { Finding($0) }
    }

    /// The failure for a log that is not sound.
    package var failure: Failure? {
        guard !sound else { return nil }
        let first = findings.first { $0.fault }
        return Failure(
            code: .refused, name: first?.kind ?? "unsound", message: first?.text ?? "the audit log is not sound",
            details: self)
    }

    private enum CodingKeys: String, CodingKey {
        case origin, reader, size, root, sound, checkpoints, findings
        case logKey = "log_key"
    }

    package var text: String {
        let compared =
            checkpoints == 0
            ? "compared with no checkpoint: an earlier state of the log would look the same"
            : "compared with checkpoints: \(checkpoints)"
        return
            ([
                sound ? "the log is sound" : "the log is not the one that was written", "origin   \(origin)",
                "reader   \(reader)",
            ] + (logKey.map { ["log key  \($0)"] } ?? [])
            + ["entries  \(size)", "root     \(root)", compared] + findings.map { "- \($0.text)" }).joined(
                separator: "\n")
    }
}

extension AuditReportView.Finding {
    fileprivate init(_ finding: VerificationReport.Finding) {
        let (kind, entry, text): (String, UInt64, String) =
            switch finding {
            case .otherLog: ("other_log", 0, "the log has another origin or another reader than expected")
            case .gap(let from, let to): ("gap", from, "entries \(from) to \(to - 1) are missing")
            case .damaged(let entry): ("damaged", entry, "the bytes at entry \(entry) are not well formed")
            case .changed(let entry): ("changed", entry, "entry \(entry) is not the one that was written there")
            case .truncated(let size, let expected):
                (
                    "truncated", size,
                    "the log has \(size) entries, and a checkpoint has \(expected): the others are missing"
                )
            case .forked(let after, let before):
                ("forked", after, "an entry from \(after) to \(before - 1) is not the one of a checkpoint")
            case .forged(let entry): ("forged", entry, "the seal of entry \(entry) is not valid")
            case .epochMissing(let entry): ("epoch_missing", entry, "entry \(entry) is of an epoch that did not begin")
            case .chainBroken(let entry):
                ("chain_broken", entry, "the epoch at entry \(entry) does not continue the one before")
            case .unreadable(let entry): ("unreadable", entry, "the record of entry \(entry) is not well formed")
            case .hashesDiffer(let entry): ("hashes_differ", entry, "stored hashes differ from entry \(entry) on")
            case .unfinishedCommit(let entry, let bytes):
                ("unfinished_commit", entry, "a commit at entry \(entry) was not finished (\(bytes) bytes)")
            case .clockWentBack(let entry, let milliseconds):
                ("clock_went_back", entry, "the clock went back by \(milliseconds) ms before entry \(entry)")
            }
        self.init(kind: kind, entry: entry, fault: finding.isFault, text: text)
    }
}
