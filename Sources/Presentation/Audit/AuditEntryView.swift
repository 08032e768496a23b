package import AuditLog
internal import Encoding
internal import Texts

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
    /// The id of a server's event, in hexadecimal. An id that comes twice is one event.
    var id: String?
    /// The time of a server's event; the entry's own time is later.
    var happened: String?
    /// The code of the reason of a server's event.
    var reason: UInt16?

    package init(_ record: AuditRecord, at sequence: UInt64) {
        entry = sequence
        time = UInt64(max(0, record.time.wall / 1_000)).timeText
        switch record.event {
        case .log(let event):
            source = "log"
            self.event = Self.word("\(event)".prefix { $0 != "(" })
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

    /// The cells of a row.
    package var cells: [String] {
        [
            "\(entry)", time, source, [event, stage].compactMap { $0 }.joined(separator: " "), about ?? "",
            subject ?? "",
        ]
    }

    /// The titles of the cells.
    package static let titles = ["entry", "time", "source", "event", "about", "subject"]

    /// Returns the name of a case in lower case with underscores: the form of names in JSON.
    private static func word(_ name: Substring) -> String {
        name.map { $0.isUppercase ? "_" + $0.lowercased() : String($0) }.joined()
    }
}
