internal import AuditLog
internal import AuthAPI

/// The file with the public keys of the logs that the server witnesses: one key a line (C2SP “vkey”). Lines that are
/// empty or begin with `#` are ignored.
enum WitnessedLogs {
    /// Reads the file.
    ///
    /// - Throws: ``StartupError/witnessedLogs(_:_:)``.
    static func read(_ path: String) throws(StartupError) -> [NoteKey] {
        let bytes: [UInt8]
        do { bytes = try OperatorFile.read(path, limit: Limits.witnessedLogsBytes) } catch {
            throw .witnessedLogs(path, "cannot be read")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .witnessedLogs(path, "is not text") }
        var keys: [NoteKey] = []
        for (number, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            if line.isEmpty || line.hasPrefix("#") { continue }
            guard let key = try? NoteKey(parsing: String(line)), key.kind == .signature else {
                throw .witnessedLogs(path, "line \(number + 1) is not the key of a log")
            }
            guard !keys.contains(where: { $0.name == key.name }) else {
                throw .witnessedLogs(path, "line \(number + 1) names a log a second time")
            }
            keys.append(key)
        }
        guard keys.count <= Limits.witnessedLogs else {
            throw .witnessedLogs(path, "has more than \(Limits.witnessedLogs) keys")
        }
        return keys
    }
}
