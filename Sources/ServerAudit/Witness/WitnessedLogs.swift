package import AuditLog
internal import ServerHTTP

/// The file with the public keys of the logs that the server witnesses: one key a line (C2SP “vkey”). Lines that are
/// empty or begin with `#` are ignored.
package enum WitnessedLogs {
    /// The reason why the file cannot be used.
    package enum Flaw: Error, Equatable, Sendable {
        case unreadable
        case notText
        /// The line, counted from 1, is not the public key of a log.
        case notAKey(line: Int)
        /// The line, counted from 1, names a log that an earlier line names.
        case secondKey(line: Int)
        case tooManyKeys

        /// The reason in words, after the path of the file.
        package var text: String {
            switch self {
            case .unreadable: "cannot be read"
            case .notText: "is not text"
            case .notAKey(let line): "line \(line) is not the key of a log"
            case .secondKey(let line): "line \(line) names a log a second time"
            case .tooManyKeys: "has more than \(ServerAuditLimits.witnessedLogs) keys"
            }
        }
    }

    /// Reads the file.
    package static func read(_ path: String) throws(Flaw) -> [NoteKey] {
        let bytes: [UInt8]
        do { bytes = try OperatorFile.read(path, limit: ServerAuditLimits.witnessedLogsBytes) } catch {
            throw .unreadable
        }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .notText }
        var keys: [NoteKey] = []
        for (number, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            if line.isEmpty || line.hasPrefix("#") { continue }
            guard let key = try? NoteKey(parsing: String(line)), key.kind == .signature else {
                throw .notAKey(line: number + 1)
            }
            guard !keys.contains(where: { $0.name == key.name }) else {
                throw .secondKey(line: number + 1)
            }
            keys.append(key)
        }
        guard keys.count <= ServerAuditLimits.witnessedLogs else {
            throw .tooManyKeys
        }
        return keys
    }
}
