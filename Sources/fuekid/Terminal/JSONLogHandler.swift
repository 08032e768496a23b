internal import Encoding
internal import Foundation
internal import Logging

/// Writes the log to standard error, one JSON object a line, for whatever collects it.
struct JSONLogHandler: LogHandler {
    var logLevel: Logger.Level = .info
    var metadata: Logger.Metadata = [:]

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var members: [JSON.Object.Member] = [
            .init(name: "at", value: .string(Self.time())), .init(name: "level", value: .string(event.level.rawValue)),
            .init(name: "message", value: .string("\(event.message)")),
        ]
        let all = metadata.merging(event.metadata ?? [:]) { _, own in own }
        for (name, value) in all.sorted(by: { $0.key < $1.key }) where !members.contains(where: { $0.name == name }) {
            members.append(.init(name: name, value: .string("\(value)")))
        }
        guard let object = try? JSON.Object(members) else { return }
        FileHandle.standardError.write(Data(JSON.object(object).encoded + [UInt8(ascii: "\n")]))
    }

    private static func time() -> String {
        Date.now.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }
}
