internal import AuthServer
internal import Foundation
internal import Logging
internal import Terminal

/// The variables that the command itself reads. Those of the settings are the server's.
enum Environment {
    static var all: [String: String] { ProcessInfo.processInfo.environment }

    /// A variable without a text is one that is not there.
    static subscript(name: String) -> String? { all[name].flatMap { $0.isEmpty ? nil : $0 } }

    /// How much is logged.
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
        return Logger(label: "fuekid") { _ in
            var handler = JSONLogHandler(writer: writer)
            handler.logLevel = level
            return handler
        }
    }
}
