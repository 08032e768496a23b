internal import ArgumentParser
internal import ErrorTexts
internal import ExchangeCredentials
internal import ExchangeViews
internal import Terminal
internal import Texts
internal import Time

struct ExchangeRevokeLocal: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke-local",
        abstract: "Wipe a stolen key from this machine for good, and show what to do next.",
        discussion: """
            Works without a network. The key is refused on this machine from then on, under every label. It still works at the \
            exchange: delete it there first. Then follow the steps that this command prints.

            EXAMPLES
              fueki exchange revoke-local main
              fueki exchange revoke-local main --yes --passphrase-file passphrase
            """)

    @OptionGroup var key: StoredKeyOptions

    @Flag(name: .shortAndLong, help: "Do not ask.")
    var yes = false

    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var global: GlobalOptions

    func perform(_ output: Output) async throws(Failure) {
        do throws(Failure) { try await revoke(output) } catch { throw error.ofRevocation }
    }

    private func revoke(_ output: Output) async throws(Failure) {
        let change = try await StoredKeyChange(key, in: global.exchangeHome, passphrase)
        let record: CredentialRecord
        switch try await change.found() {
        case .stored(let found): record = found
        // An earlier call may have been interrupted before it printed the steps.
        case .revoked(let tombstone): return try show(EmergencyView(tombstone, nil, time: .ofSystem), output)
        }
        if !yes { try change.ask("Revoke it?", "Wipe the key '\(key.label)' from this machine for good", record) }
        let tombstone = try await change.run(record) { keyring, venue throws(CredentialError) in
            try await keyring.revoke(record.label, at: venue, now: .now())
        }
        try show(EmergencyView(tombstone, record, time: .ofSystem), output)
    }

    private func show(_ view: EmergencyView, _ output: Output) throws(Failure) {
        try output.receipt(view)
    }
}

struct ExchangeEmergency: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "emergency", abstract: "Show the steps after a key may have been stolen. Changes nothing.",
        discussion: """
            The steps depend on the exchange, and on the rights that the last 'check' found: unknown rights count as every \
            right.

            EXAMPLE
              fueki exchange emergency main
            """)

    @OptionGroup var key: StoredKeyOptions
    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var global: GlobalOptions

    func perform(_ output: Output) async throws(Failure) {
        let change = try await StoredKeyChange(key, in: global.exchangeHome, passphrase)
        let view =
            switch try await change.found() {
            case .stored(let record): EmergencyView(record, time: .ofSystem)
            case .revoked(let tombstone): EmergencyView(tombstone, nil, time: .ofSystem)
            }
        try output.result(view)
    }
}
