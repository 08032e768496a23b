internal import ArgumentParser
internal import AuthServer
internal import Foundation
internal import Logging
internal import Secrets

/// What every command takes: where the server lives, and how it is configured.
struct ServerOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The folder of the server: its keys, a SQLite store (default: $FUEKID_HOME, or ~/.fuekid).",
            valueName: "folder"),
        completion: .directory)
    var home: String?

    @Option(
        help: ArgumentHelp("The file with the settings (default: fuekid.json in the home folder).", valueName: "file"),
        completion: .file(extensions: ["json"]))
    var config: String?

    @Option(
        help: ArgumentHelp(
            """
            Take the first line of this file as the passphrase of the vault with the master keys (default: \
            $FUEKID_PASSPHRASE_FILE, or the file passphrase in the home folder).
            """, valueName: "file"),
        completion: .file())
    var passphraseFile: String?

    private var environment: [String: String] { ProcessInfo.processInfo.environment }

    var serverHome: ServerHome {
        let named = home ?? environment["FUEKID_HOME"].flatMap { $0.isEmpty ? nil : $0 }
        return ServerHome(path: Self.absolute(named ?? (environment["HOME"] ?? ".") + "/.fuekid"))
    }

    /// The store's folder is opened by its full name, wherever the process is by then.
    private static func absolute(_ path: String) -> String {
        let full = path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
        return full.count > 1 && full.hasSuffix("/") ? String(full.dropLast()) : full
    }

    func configuration() throws(Failure) -> ServerConfiguration {
        let path = config ?? serverHome.path + "/fuekid.json"
        let file = FileManager.default.contents(atPath: path)
        if config != nil, file == nil {
            throw Failure(code: Failure.configuration, message: "\(path): cannot be read")
        }
        do {
            return try ServerConfiguration(
                ConfigurationSource(file: file.map { [UInt8]($0) }, environment: environment))
        } catch {
            throw Failure(error)
        }
    }

    /// The passphrase of the vault.
    func passphrase() throws(Failure) -> SecretBytes {
        let named = passphraseFile ?? environment["FUEKID_PASSPHRASE_FILE"]
        let path = named ?? serverHome.passphrasePath
        guard var bytes = FileManager.default.contents(atPath: path).map({ [UInt8]($0.prefix(2_000)) }) else {
            throw Failure(
                code: Failure.configuration, message: "\(path): the passphrase cannot be read",
                hint: "give its file with --passphrase-file")
        }
        var line = Array(bytes.prefix { $0 != 0x0A && $0 != 0x0D })
        for index in bytes.indices { bytes[index] = 0 }
        guard (1...1024).contains(line.count) else {
            throw Failure(
                code: Failure.configuration, message: "\(path): its first line is no passphrase of 1 to 1024 bytes")
        }
        return SecretBytes(moving: &line)
    }

    /// Whether the passphrase lies where the first start has put it: beside what it opens.
    var hasPassphraseBesideVault: Bool {
        passphraseFile == nil && environment["FUEKID_PASSPHRASE_FILE"] == nil
            && FileManager.default.fileExists(atPath: serverHome.passphrasePath)
    }

    /// Makes what a first start needs: the folder, a passphrase, the vault with a master key.
    func prepareHome() async throws(Failure) {
        let home = serverHome
        do {
            try home.make()
            guard !home.hasVault else { return }
            if passphraseFile == nil, environment["FUEKID_PASSPHRASE_FILE"] == nil {
                try home.makePassphrase()
            }
            try await home.makeVault(passphrase: try passphrase())
        } catch {
            throw Failure(error)
        }
    }

    func logger() -> Logger {
        let level = environment["FUEKID_LOG_LEVEL"].flatMap(Logger.Level.init(rawValue:)) ?? .info
        return Logger(label: "fuekid") { _ in
            var handler = JSONLogHandler()
            handler.logLevel = level
            return handler
        }
    }
}
