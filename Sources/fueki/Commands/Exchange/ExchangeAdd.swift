internal import ArgumentParser
internal import ErrorTexts
internal import ExchangeCredentials
internal import ExchangeViews
internal import Secrets
internal import Terminal
internal import Texts

struct ExchangeAdd: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Store an API key of an exchange under a label.",
        discussion: """
            The key and its secret are read from files or asked for, and are never arguments. The first key makes the vault \
            of keys, and its new passphrase. The exchange is not asked: 'check' does that. Delete the files afterwards.

            EXAMPLES: the second key is Ed25519, which 'openssl genpkey' makes.
              fueki exchange add main --exchange kraken
              fueki exchange add bot --exchange binance --key-file key.txt \\
                  --secret-file key.pem
            """)

    @Argument(help: "A label for the key: letters, digits, '.', '_' and '-'.")
    var label: String

    @Option(help: .value("exchange", "The exchange: binance or kraken."))
    var exchange: Venue

    @OptionGroup var newKey: NewKeyOptions
    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var global: GlobalOptions

    func validate() throws { try newKey.check(besides: passphrase) }

    func perform(_ output: Output) async throws(Failure) {
        let label = try attempt { () throws(CredentialError) in try KeyLabel(self.label) }
        let home = global.exchangeHome
        let isNew = try await isNew(home)
        let credential = try newKey.credential(of: exchange)
        let secret =
            isNew
            ? try passphrase.new(
                output, advice: "Choose a passphrase for the keys of exchanges: another one than your wallets'.")
            : try passphrase.existing(for: home)
        do throws(CredentialError) {
            let keys =
                isNew
                ? try await home.createKeys(passphrase: secret, random: SystemRandom())
                : try await home.openKeys(passphrase: secret, random: SystemRandom())
            try await keys.keyring.add(credential, as: label)
            await keys.close()
        } catch { throw error.failure }
        try output.receipt(KeyChangeView(.added, label, at: exchange, fingerprint: credential.key.fingerprint))
    }

    /// Whether the vault of keys has to be made.
    private func isNew(_ home: ExchangeHome) async throws(Failure) -> Bool {
        do throws(CredentialError) {
            try await home.requireKeys()
            return false
        } catch .noKey { return true } catch { throw error.failure }
    }
}
