internal import Logging
internal import ServerHTTP
internal import Synchronization

@testable internal import AuthServer

/// A log that keeps every line, of any level.
final class RecordingLog: Sendable {
    private let lines = Mutex<[String]>([])
    private let requests = Mutex<[RequestRecord]>([])

    /// The lines of requests, in the order in which they were answered.
    var records: [RequestRecord] { requests.withLock { $0 } }

    var text: String { lines.withLock { $0.joined(separator: "\n") } }

    var logger: Logger { Logger(label: "test") { _ in Handler(log: self) } }

    private func add(_ line: String) { lines.withLock { $0.append(line) } }

    private func add(_ record: RequestRecord) { requests.withLock { $0.append(record) } }

    private struct Handler: LogHandler {
        let log: RecordingLog
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let all = metadata.merging(event.metadata ?? [:]) { $1 }
            if case .stringConvertible(let value)? = event.metadata?["request"], let record = value as? RequestRecord {
                log.add(record)
            }
            log.add("\(event.level) \(event.message) \(all)")
        }
    }
}
