package import AuditLog
internal import Texts

/// The result of having an audit log cosigned.
package struct WitnessedView: ResultView {
    /// The number of entries that the checkpoint has.
    let entries: UInt64
    /// The name of the witness.
    let witness: String
    /// The time of the cosignature.
    let time: String
    /// The folder that keeps every cosigned checkpoint.
    let kept: String

    /// Creates a view.
    ///
    /// - Throws: `AuditLogError` for a note without a valid cosignature of the witness.
    package init(_ note: SignedNote, by witness: NoteKey, in folder: String) throws(AuditLogError) {
        guard let time = note.cosignatureTimes(by: witness)?.last, let checkpoint = try? Checkpoint(parsing: note.text)
        else { throw .badWitnessAnswer(.cosignature) }
        entries = checkpoint.size
        self.witness = witness.name
        self.time = time.timeText
        kept = folder
    }

    package var text: String {
        "cosigned by \(witness) at \(time): \(entries) entries\nkept in \(kept)"
    }
}
