internal import ArgumentParser
internal import ErrorTexts
internal import Exchange
internal import ExchangeCredentials
internal import ExchangeViews
internal import Secrets
internal import Terminal
internal import Texts

struct ExchangeRemove: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a key from this machine. It still works at the exchange.",
        discussion: """
            For a key that is used elsewhere from now on, or that you have deleted at the exchange. The journal of its orders \
            stays. If the key may have been stolen, use 'fueki exchange revoke-local'.

            EXAMPLE
              fueki exchange remove main
            """)

    @OptionGroup var key: StoredKeyOptions

    @Flag(name: .shortAndLong, help: "Do not ask.")
    var yes = false

    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var global: GlobalOptions

    func perform(_ output: Output) async throws(Failure) {
        let change = try await StoredKeyChange(key, in: global.exchangeHome, passphrase)
        let record = try await change.record()
        let unsettled = change.unsettledOrders(of: record)
        if !yes {
            let warning = KeyChangeView.warning(about: unsettled, at: record.venue)
            try change.ask(
                "Remove it?", "Remove the key '\(key.label)' from this machine; it still works at the exchange",
                record, warning)
        }
        try await change.run(record) { keyring, venue throws(CredentialError) in
            _ = try await keyring.remove(record.label, at: venue)
        }
        let view = KeyChangeView(
            .removed, record.label, at: record.venue, fingerprint: record.fingerprint, unsettled: unsettled)
        try output.receipt(view)
    }
}

/// A change of one stored key, after a person has agreed. The keys are not locked during the question.
struct StoredKeyChange: ~Copyable {
    /// What the store has of a key.
    enum Found {
        case stored(CredentialRecord)
        case revoked(Tombstone)
    }

    private let key: StoredKeyOptions
    private let home: ExchangeHome
    private let secret: SecretBytes
    let label: KeyLabel

    init(_ key: StoredKeyOptions, in home: ExchangeHome, _ passphrase: PassphraseOptions) async throws(Failure) {
        let label = try key.keyLabel()
        try await attempt { () async throws(CredentialError) in try await home.requireKeys() }
        let secret = try passphrase.existing(for: home)
        self.key = key
        self.home = home
        self.label = label
        self.secret = secret
    }

    /// Returns the record of the key.
    ///
    /// - Throws: the failure of a key that is not stored.
    borrowing func record() async throws(Failure) -> CredentialRecord {
        guard let record = try await stored() else { throw CredentialError.noKey.failure }
        return record
    }

    /// Returns the record of the key, or the last revocation of a key with this label.
    ///
    /// - Throws: the failure of a key that is neither stored nor revoked.
    borrowing func found() async throws(Failure) -> Found {
        if let record = try await stored() { return .stored(record) }
        guard let tombstone = try await tombstone() else { throw CredentialError.noKey.failure }
        return .revoked(tombstone)
    }

    private borrowing func stored() async throws(Failure) -> CredentialRecord? {
        do throws(CredentialError) {
            let keyring = try await home.openKeysForRequests(passphrase: secret).keyring
            return try await keyring.record(label, at: try await key.venue(in: keyring))
        } catch .noKey { return nil } catch { throw error.failure }
    }

    /// Asks a person about the change of a key.
    ///
    /// - Throws: the failure of a change that was declined.
    borrowing func ask(
        _ question: String, _ subject: String, _ record: CredentialRecord, _ warning: String? = nil
    ) throws(Failure) {
        let about = "\(subject) (\(record.venue.title), key \(record.hint))" + (warning.map { "\n\($0)" } ?? "")
        guard try Confirmation.ask(question, about: about, insteadUse: "--yes") else { throw .cancelled() }
    }

    /// Returns the orders of the key whose outcome is unknown. A journal that cannot be read does not keep a key.
    borrowing func unsettledOrders(of record: CredentialRecord) -> [JournalEntry] {
        (try? home.state().unsettledOrders(ofKey: record.fingerprint, at: record.venue)) ?? []
    }

    /// Returns the last revocation of a key with this label; nil without one. A revocation that was interrupted is
    /// finished.
    private borrowing func tombstone() async throws(Failure) -> Tombstone? {
        do throws(CredentialError) {
            let keys = try await home.openKeys(passphrase: secret, random: SystemRandom())
            let tombstone = try await keys.keyring.tombstone(of: label)
            await keys.close()
            return tombstone
        } catch { throw error.failure }
    }

    /// Opens the keys for changes, and changes this one.
    ///
    /// - Throws: also if another process has replaced the key since it was shown.
    borrowing func run<Result: Sendable>(
        _ record: CredentialRecord, _ body: (Keyring, Venue) async throws(CredentialError) -> Result
    ) async throws(Failure) -> Result {
        let keys: ExchangeKeys
        let present: CredentialRecord?
        do throws(CredentialError) {
            keys = try await home.openKeys(passphrase: secret, random: SystemRandom())
            present = try await keys.keyring.record(record.label, at: record.venue)
        } catch { throw error.failure }
        guard present?.fingerprint == record.fingerprint else { throw ExchangeError.busy.failure }
        do throws(CredentialError) {
            let result = try await body(keys.keyring, record.venue)
            await keys.close()
            return result
        } catch { throw error.failure }
    }
}
