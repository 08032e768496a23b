public import ArgumentParser
internal import Custody
internal import DeviceStores
internal import ErrorTexts
internal import Exchange
public import ExchangeCredentials
internal import Nodes
internal import PinnedHTTP
internal import Presentation
internal import Secrets
internal import SecureStorage
internal import Terminal
internal import Texts
internal import Time

extension Venue: ExpressibleByArgument {}

extension GlobalOptions {
    /// The folder of keys of exchanges. This property does not access the folder.
    var exchangeHome: ExchangeHome {
        ExchangeHome(path: "\(walletHome.path)/exchanges") { stem, record throws(SecureStorageError) in
            try MachineStores.ofThisMachine.place(of: record, at: stem)
        }
    }
}

extension PassphraseOptions {
    /// Returns the passphrase or PIN of the keys; a placeholder if the keys are in a store that takes none.
    func existing(for home: ExchangeHome) throws(Failure) -> SecretBytes {
        let place = try attempt { () throws(SecureStorageError) in try home.store.place() }
        guard place.needsPassphrase else { return .unused }
        return try place.backend == .vault ? existing() : existing(place.backend.question)
    }
}

extension SecretBytes {
    /// A passphrase that no place looks at.
    static var unused: SecretBytes { SecretBytes(count: 1) { _ in } }
}

/// The key of an exchange that a command is about.
struct StoredKeyOptions: ParsableArguments {
    @Argument(help: "The key's label.")
    var label: String

    @Option(help: .value("exchange", "The exchange of the key, if keys of several have this label: binance or kraken."))
    var exchange: Venue?

    func keyLabel() throws(Failure) -> KeyLabel { try attempt { () throws(CredentialError) in try KeyLabel(label) } }

    /// Returns the exchange of the key.
    func venue(in keyring: Keyring) async throws(CredentialError) -> Venue {
        guard let exchange else { return try await keyring.venue(of: try KeyLabel(label)) }
        return exchange
    }
}

/// The files with a new key. Its secret is never an argument: every program on the machine can read the arguments.
struct NewKeyOptions: SecretFileOptions {
    @Option(file: "The file with the API key; '-' is standard input. Without it, the key is asked for.")
    var keyFile: String?

    @Option(
        file:
            "The file with the secret, or with an Ed25519 key (PEM) of Binance; '-' is standard input. Without it, the "
            + "secret is asked for, and not shown.")
    var secretFile: String?

    @Option(file: "The file whose first line is the key's own password, if you have set one at Kraken.")
    var keyPassphraseFile: String?

    var secretFiles: [SecretFiles.Named] {
        [keyFile, secretFile, keyPassphraseFile].map { SecretFiles.Named(path: $0) }
    }

    /// - Throws: an error if two files are standard input.
    func check(besides passphrase: PassphraseOptions) throws {
        try SecretFiles.requireOneStandardInput([keyFile, secretFile, keyPassphraseFile, passphrase.passphraseFile])
    }

    /// Reads the credential, and asks for what no file has.
    func credential(of venue: Venue) throws(Failure) -> ExchangeCredential {
        guard keyPassphraseFile == nil || venue == .kraken else {
            throw .usage("--key-passphrase-file is about a key of Kraken: Binance's keys have no password")
        }
        let key = try key(of: venue)
        let secret = try secret(of: venue)
        let passphrase = try keyPassphraseFile.map { path throws(Failure) in try PassphraseFile.firstLine(of: path) }
        return try credential(key, secret, passphrase)
    }

    private func credential(
        _ key: APIKey, _ secret: consuming SigningSecret, _ passphrase: consuming SecretBytes?
    ) throws(Failure) -> ExchangeCredential {
        do throws(CredentialError) {
            return try ExchangeCredential(key: key, secret: secret, passphrase: passphrase, created: .now())
        } catch { throw error.failure }
    }

    private func key(of venue: Venue) throws(Failure) -> APIKey {
        let text = try SecretInput(keyFile, "--key-file").text("API key: ", longest: CredentialLimits.keyFileBytes)
        return try attempt { () throws(CredentialError) in try APIKey(reading: text, of: venue) }
    }

    private func secret(of venue: Venue) throws(Failure) -> SigningSecret {
        let text = try SecretInput(secretFile, "--secret-file").text(
            "Secret (it is not shown): ", longest: CredentialLimits.keyFileBytes)
        do throws(CredentialError) { return try SigningSecret(reading: text, of: venue) } catch { throw error.failure }
    }
}

/// The connection to an exchange.
struct ExchangeConnectionOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Another server than the exchange's own, for tests: 'https://…', or 'http://127.0.0.1:PORT' on this machine.",
            discussion: "It gets signed requests: name no server that you do not trust.", valueName: "url"))
    var endpoint: String?

    @Option(
        help: ArgumentHelp(
            "The pin of a key in the server's chain of certificates, 'sha256/…'; at least two, one of them of a spare key.",
            discussion: "'fueki pins show api.kraken.com' shows the pins. 'none' is for no pins, whatever is set.",
            valueName: "pin"))
    var pin: [String] = []

    @OptionGroup var authorities: AuthoritiesOption

    @Option(
        help: .value(
            "url",
            "A SOCKS5 proxy to the exchange, for example Tor's: 'socks5://127.0.0.1:9050'; 'none' for a direct connection."
        ))
    var proxy: String?

    /// Returns a client of the exchange.
    func client(
        of venue: Venue, key label: KeyLabel, in keyring: Keyring, _ home: ExchangeHome
    ) throws(Failure) -> ExchangeClient {
        let origin = try origin
        let connection = try rules(of: venue)
        return try attempt { () throws(ExchangeError) in
            let transport = try connection.client(
                to: origin ?? venue.origin, userAgent: "fueki/\(Version.text)", now: { .now })
            return try ExchangeClient(
                of: venue, key: label, in: keyring, state: try home.state(), transport: transport, origin: origin,
                clock: .system, random: SystemRandom(), window: ExchangeLimits.window)
        }
    }

    private var origin: Origin? {
        get throws(Failure) {
            try attempt { () throws(ExchangeError) in
                try endpoint.map { text throws(ExchangeError) in try Origin(exchangeAt: text) }
            }
        }
    }

    /// Returns the rules of the connection: an option comes before a setting.
    func rules(of venue: Venue) throws(Failure) -> ExchangeConnection {
        let settings = try Settings.checked(in: GlobalOptions.home(in: CommandLine.arguments))
        func chosen(_ option: String?, _ key: Settings.Key?) -> String? {
            let text = option ?? key.flatMap { settings.value(of: $0, for: nil) }
            return text == NodePins.noneWord ? nil : text
        }
        let name = Settings.ExchangeName(venue.rawValue)
        // The pins of the settings are those of the exchange, whichever of its names is used.
        let isOwn = try origin.map(venue.has) ?? true
        let pins = chosen(
            pin.isEmpty ? nil : pin.joined(separator: " "), isOwn ? name.map { .exchangePin($0) } : nil)
        let proxy = try chosen(proxy, name.map { .exchangeProxy($0) }).map(SOCKSProxy.named)
        let roots = try authorities.roots
        return try attempt { () throws(ExchangeError) in
            ExchangeConnection(
                pins: try pins.map { text throws(ExchangeError) in try ExchangeConnection.pins(in: text) } ?? [],
                roots: roots, proxy: proxy)
        }
    }
}

/// The options of a command that asks an exchange with one stored key.
struct KeyRequestOptions: ParsableArguments {
    @OptionGroup var key: StoredKeyOptions
    @OptionGroup var connection: ExchangeConnectionOptions
    @OptionGroup var passphrase: PassphraseOptions

    /// Opens the keys without locking them, runs requests, and stores the notes about the use of the key.
    func run<Result: Sendable>(
        in home: ExchangeHome, _ body: (ExchangeClient) async throws(ExchangeError) -> Result
    ) async throws(Failure) -> Result {
        try await session(in: home) { client async throws(Failure) in
            try await attempt { () async throws(ExchangeError) in try await body(client) }
        }
    }

    /// Opens the keys without locking them, runs a command with questions, and stores the notes about the use of the
    /// key.
    func session<Result: Sendable>(
        in home: ExchangeHome, _ body: (ExchangeClient) async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        let label = try key.keyLabel()
        try await attempt { () async throws(CredentialError) in try await home.requireKeys() }
        let secret = try passphrase.existing(for: home)
        let keys = try await attempt { () async throws(CredentialError) in
            try await home.openKeysForRequests(passphrase: secret)
        }
        let venue: Venue
        do throws(CredentialError) {
            venue = try await key.venue(in: keys.keyring)
            // A key that is missing or revoked is reported before the exchange is asked for anything.
            _ = try await keys.keyring.credential(label, at: venue)
        } catch { throw error.failure }
        let client = try connection.client(of: venue, key: label, in: keys.keyring, home)
        let result = try await body(client)
        await home.saveNotes(of: keys, passphrase: secret, random: SystemRandom())
        return result
    }
}
