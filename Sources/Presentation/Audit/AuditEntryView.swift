package import AuditLog
internal import Encoding
internal import Texts
internal import Time

/// One entry of an audit log.
package struct AuditEntryView: Encodable {
    let entry: UInt64
    let time: String
    /// `log`, `wallet`, `server` or `other`.
    let source: String
    /// A stable word for the event: `signing`, `signed_in`, …
    let event: String
    /// The stage of a wallet's act: `admitted`, `completed`, …
    var stage: String?
    /// The wallet or the account, in hexadecimal.
    var about: String?
    var device: String?
    /// The digest or the identifier of the event's subject, in hexadecimal.
    var subject: String?
    /// The entry with the admission that this entry ends.
    var admission: UInt64?
    /// The number of entries of the checkpoint that the event is about.
    var size: UInt64?
    /// False for an admission without an end: the act was interrupted, and may have had an effect.
    var ended: Bool?
    /// The id of a server's event, in hexadecimal. An id that comes twice is one event.
    var id: String?
    /// The time of a server's event; the entry's own time is later.
    var happened: String?
    /// The code of the reason of a server's event.
    var reason: UInt16?

    package init(_ record: AuditRecord, at sequence: UInt64) {
        entry = sequence
        time = UInt64(clamping: record.wall.seconds).timeText
        switch record.event {
        case .log(let event):
            source = "log"
            self.event = Self.word("\(event)".prefix { $0 != "(" })
            switch event {
            case .follows(let root, let size): (subject, self.size) = (Hex.encode(root.bytes), size)
            case .witnessed(let witness, let size): (subject, self.size) = (Hex.encode(witness.bytes), size)
            default: break
            }
        case .wallet(let event):
            source = "wallet"
            self.event = Self.word("\(event.act)"[...])
            stage = Self.word("\(event.stage)"[...])
            about = Hex.encode(event.wallet.bytes)
            subject = event.subject.map { Hex.encode($0.bytes) }
            admission = event.admission
        case .server(let event):
            source = "server"
            self.event = Self.word("\(event.kind)"[...])
            about = event.account.map { Hex.encode($0.bytes) }
            device = event.device.map { Hex.encode($0.bytes) }
            subject = event.subject.map { Hex.encode($0.bytes) }
            id = Hex.encode(event.id.bytes)
            happened = UInt64(max(0, event.at / 1_000)).timeText
            reason = event.reason == 0 ? nil : event.reason
        case .other(let event):
            source = "other"
            self.event = "\(event.code).\(event.version)"
            subject = Hex.encode(event.payload)
        }
    }

    /// Marks the admission of an act that no later entry ends.
    ///
    /// - Parameter ends: the numbers of the admissions that have ends.
    mutating func markUnended(besides ends: Set<UInt64>) {
        if source == "wallet", stage == "admitted", !ends.contains(entry) { ended = false }
    }

    /// The cells of a row.
    ///
    /// - Parameter isOfWallet: whether the log is that of one wallet, which need not be named in each row.
    func cells(isOfWallet: Bool) -> [String] {
        let event = [event, stage, ended == false ? "(no end)" : nil].compactMap(\.self).joined(separator: " ")
        let cells =
            ["\(entry)", time, event] + (isOfWallet ? [] : [source, Self.short(about)]) + [Self.short(subject)]
        return Array(cells.reversed().drop(while: \.isEmpty).reversed())
    }

    /// Returns the number of the admission that an entry ends; nil for another entry.
    static func admission(endedBy record: AuditRecord) -> UInt64? {
        if case .wallet(let event) = record.event { event.admission } else { nil }
    }

    /// Whether the entry says only that the log was opened or closed.
    var isOfOpening: Bool { ["epoch_began", "closed"].contains(event) && source == "log" }

    /// Returns the begin of a digest: a row has no room for all of it, and `--json` has it.
    private static func short(_ digest: String?) -> String {
        guard let digest else { return "" }
        return digest.count > 16 ? digest.prefix(16) + "…" : digest
    }

    /// The titles of the cells.
    static func titles(isOfWallet: Bool) -> [String] {
        ["entry", "time", "event"] + (isOfWallet ? [] : ["source", "about"]) + ["subject"]
    }

    /// Returns the name of a case in lower case with underscores: the form of names in JSON.
    private static func word(_ name: Substring) -> String {
        name.map { $0.isUppercase ? "_" + $0.lowercased() : String($0) }.joined()
    }
}
