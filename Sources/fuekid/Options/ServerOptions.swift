internal import ArgumentParser
internal import AuthSettings
internal import Files
internal import Foundation
internal import Secrets
internal import SecureStorage
internal import ServerHTTP
internal import Terminal
internal import Texts

/// The options of every command: the server's folder and its settings.
struct ServerOptions: ParsableArguments {
    @Option(folder: "The folder of the server: its keys, a SQLite store (default: $FUEKID_HOME, or ~/.fuekid).")
    var home: String?

    @Option(
        file: "The file with the settings (default: $FUEKID_CONFIG, or fuekid.json in the home folder).",
        extensions: ["json"])
    var config: String?

    @Option(
        file: """
            Take the first line of this file ('-' is standard input) as the passphrase of the vault with the master keys \
            (default: $FUEKID_PASSPHRASE_FILE, or the file passphrase in the home folder).
            """)
    var passphraseFile: String?

    @Flag(help: "Print JSON: the result on standard output, an error on standard error.")
    var json = false

    var serverHome: ServerHome {
        let named = home ?? Environment["FUEKID_HOME"]
        return ServerHome(path: Self.absolute(named ?? (Environment["HOME"] ?? ".") + "/.fuekid"))
    }

    /// Returns the absolute path of a file: the working directory may change later.
    static func absolute(_ path: String) -> String {
        let full = path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
        return full.count > 1 && full.hasSuffix("/") ? String(full.dropLast()) : full
    }

    func configuration() throws(Failure) -> ServerConfiguration {
        let named = config ?? Environment["FUEKID_CONFIG"]
        let path = named ?? serverHome.path + "/fuekid.json"
        let file: [UInt8]?
        do {
            file = try OperatorFile.read(path, limit: ConfigurationSource.fileBytes)
        } catch .missing where named == nil {
            file = nil
        } catch {
            throw Failure(reading: path, error)
        }
        do {
            return try ServerConfiguration(ConfigurationSource(file: file, environment: Environment.all))
        } catch {
            // An error in the whole file names no setting.
            throw Failure(
                code: .settings, name: "bad_setting",
                message: error.setting.isEmpty ? "\(path): \(error.reason)" : error.description)
        }
    }

    /// Reads the passphrase of the vault.
    func passphrase() throws(Failure) -> SecretBytes {
        let path = passphrasePath
        do {
            return try SecretFile.firstLine(of: path)
        } catch {
            throw Failure(reading: path, error)
        }
    }

    /// The path of the passphrase: the given one, or the one that the first start uses.
    var passphrasePath: String { namedPassphrase ?? serverHome.passphrasePath }

    private var namedPassphrase: String? { passphraseFile ?? Environment["FUEKID_PASSPHRASE_FILE"] }

    /// Whether the passphrase is in the place that the first start uses: beside the vault that it opens.
    var hasPassphraseBesideVault: Bool {
        namedPassphrase == nil && FileManager.default.fileExists(atPath: serverHome.passphrasePath)
    }

    /// Creates the files of a first start: the folder, a passphrase, and the vault with a master key.
    func prepareHome(for configuration: ServerConfiguration) async throws {
        let home = serverHome
        try home.make()
        guard !home.hasVault else { return }
        try await home.requireNothingSealed(configuration.store)
        if namedPassphrase == nil { try home.makePassphrase() }
        let passphrase = try passphrase()
        if let flaw = PassphraseText.flaw(in: passphrase) { throw flaw.failure }
        try await home.makeVault(passphrase: passphrase)
    }
}
