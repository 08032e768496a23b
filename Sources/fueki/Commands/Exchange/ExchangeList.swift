internal import ArgumentParser
internal import ErrorTexts
internal import ExchangeCredentials
internal import ExchangeViews
internal import Terminal
internal import Texts

struct ExchangeList: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the keys of exchanges on this machine. The exchanges are not asked.",
        discussion: """
            Shows the label, the first characters of the key, its last use to the hour, and the rights that the last \
            'check' found. Keys that were revoked here are listed, too.

            EXAMPLE
              fueki exchange list
            """)

    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var global: GlobalOptions

    func perform(_ output: Output) async throws(Failure) {
        try await output.result(view())
    }

    private func view() async throws(Failure) -> KeyListView {
        let home = global.exchangeHome
        do throws(CredentialError) { try await home.requireKeys() } catch .noKey {
            return KeyListView([], [], time: .ofSystem)
        } catch { throw error.failure }
        let secret = try passphrase.existing(for: home)
        return try await attempt { () async throws(CredentialError) in
            let keyring = try await home.openKeysForRequests(passphrase: secret).keyring
            var records: [CredentialRecord] = []
            var tombstones: [Tombstone] = []
            for venue in Venue.allCases {
                records += try await keyring.records(at: venue)
                tombstones += try await keyring.tombstones(at: venue)
            }
            return KeyListView(records, tombstones, time: .ofSystem)
        }
    }
}
