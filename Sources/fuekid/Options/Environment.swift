internal import Foundation
internal import Logging
internal import RedactedLogging
internal import Redaction
internal import Secrets
internal import ServerHTTP
internal import Texts

/// The variables that the command itself reads. The server reads those of the settings.
enum Environment {
    static var all: [String: String] { ProcessInfo.processInfo.environment }

    /// Returns a variable; an empty one counts as missing.
    static subscript(name: String) -> String? { all[name].flatMap { $0.isEmpty ? nil : $0 } }

    /// Returns the level of the log.
    static func logLevel() throws(Failure) -> Logger.Level {
        guard let text = self["FUEKID_LOG_LEVEL"] else { return .info }
        guard let level = Logger.Level(rawValue: text) else {
            let levels = Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")
            throw Failure(
                code: .settings, name: "bad_setting", message: "FUEKID_LOG_LEVEL: has to be one of \(levels)")
        }
        return level
    }

    static func logger(to writer: LogWriter) throws(Failure) -> Logger {
        let level = try logLevel()
        let names = Pseudonyms(key: SecretBytes(count: 32, from: SystemRandom()))
        return Logger(label: "fuekid") { _ in
            var handler = RedactedLogHandler(
                JSONLogHandler(writer: writer), redactor: Redactor(), names: names, shownKeys: shownKeys)
            handler.logLevel = level
            return handler
        }
    }

    /// The keys whose values are shown: the server's own, and those of the packages that run it. The value of any other
    /// key is not shown, and all texts are redacted.
    private static let shownKeys = Set(
        LogKey.allCases.map(\.rawValue) + [
            "error.type", "hb.request.id",
            "sl-cancellationSignals", "sl-error", "sl-gracefulShutdownSignals", "sl-service", "sl-services",
            "sl-signal",
        ])
}
