internal import Logging
internal import ServerHTTP
internal import Time

/// A log handler that writes one JSON object per line, for a log collector.
struct JSONLogHandler: LogHandler {
    let writer: LogWriter
    var logLevel: Logger.Level = .info
    var metadata: Logger.Metadata = [:]
    private let times = LogTimes()

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        writer.write(line(of: event))
    }

    /// Returns the line of an event.
    func line(of event: LogEvent) -> [UInt8] {
        var line = LogLine(at: .now(), times, level: event.level.rawValue, message: event.message.description)
        // A request's line has members of its own, and no others.
        if case .stringConvertible(let value)? = event.metadata?[LogKey.request.rawValue],
            let record = value as? RequestRecord
        {
            record.add(to: &line)
            return line.finish()
        }
        let all = metadata.isEmpty ? event.metadata ?? [:] : metadata.merging(event.metadata ?? [:]) { _, own in own }
        for (name, value) in all.sorted(by: { $0.key < $1.key }) where !["at", "level", "message"].contains(name) {
            line.add(named: name, value.description)
        }
        return line.finish()
    }

    /// Returns the line that reports the number of missing lines before it.
    static func dropped(_ count: Int) -> [UInt8] {
        var line = LogLine(
            at: .now(), LogTimes(), level: Logger.Level.warning.rawValue, message: "log lines were dropped")
        line.add(named: "dropped", "\(count)")
        return line.finish()
    }
}
