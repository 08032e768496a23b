package import AuditLog
internal import Encoding
internal import ServerAudit

extension ServerConfiguration.AuditSettings {
    init(_ source: ConfigurationSource, _ url: PublicURL) throws(ConfigurationError) {
        reader = nil
        if let text = try source.optionalText("audit.reader") {
            guard let key = try? Hex.decode(text), key.count == 32 else {
                throw ConfigurationError(
                    "audit.reader", "has to be the public key that `fuekid audit key` prints: 64 hexadecimal digits")
            }
            reader = key
        }
        name = try source.noteName("audit.name", default: "\(url.authority)/audit")
        folder = try source.path("audit.folder")
        secretFolder = try source.path("audit.secret_folder")
        checkpointFolder = try source.path("audit.checkpoint_folder")
        replacesLostSecret = try source.bool("audit.replace_lost_secret")
    }
}

extension AuditPlaces {
    /// Nil if the settings name no reader.
    package init?(_ settings: ServerConfiguration.AuditSettings, home: ServerHome) {
        guard let reader = settings.reader else { return nil }
        self.init(
            name: settings.name, reader: reader, folder: home.absolute(settings.folder),
            secretFolder: home.absolute(settings.secretFolder),
            checkpointFolder: home.absolute(settings.checkpointFolder),
            missingSecret: settings.replacesLostSecret ? .replaced : .refused)
    }
}

extension ServerConfiguration.WitnessSettings {
    init(_ source: ConfigurationSource, _ url: PublicURL) throws(ConfigurationError) {
        logsPath = try source.optionalText("witnessed_logs")
        guard logsPath != "" else { throw ConfigurationError("witnessed_logs", "has to be the path of a file") }
        name = try source.noteName("witness.name", default: "\(url.authority)/witness")
        folder = try source.path("witness.folder")
    }
}

extension WitnessedLogs {
    /// Reads the file that the settings name.
    ///
    /// - Throws: ``StartupError/witnessedLogs(_:_:)``.
    package static func ofOperator(_ path: String) throws(StartupError) -> [NoteKey] {
        do { return try read(path) } catch { throw .witnessedLogs(path, error.text) }
    }
}

extension ConfigurationSource {
    /// Returns the name of a log or a witness.
    fileprivate func noteName(_ name: String, default fallback: String) throws(ConfigurationError) -> String {
        let text = try optionalText(name) ?? fallback
        guard (try? LogIdentity(origin: text, reader: [UInt8](repeating: 0, count: 32))) != nil else {
            throw ConfigurationError(
                name, "has to be 1 to \(AuditLimits.name) bytes without blanks and +, such as \(fallback)")
        }
        return text
    }

    fileprivate func path(_ name: String) throws(ConfigurationError) -> String {
        let path = try text(name)
        guard !path.isEmpty else { throw ConfigurationError(name, "has to be the path of a folder") }
        return path
    }
}
