internal import ArgumentParser
internal import ErrorTexts
internal import Exchange
internal import ExchangeCredentials
internal import ExchangeViews
internal import Secrets
internal import Terminal
internal import Texts

struct ExchangeRotate: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate", abstract: "Replace a key by a new one of the same account.",
        discussion: """
            Stores the new key beside the old one, asks the exchange for its rights and its account, and replaces the old one. \
            A key of another account is refused. The journals of orders go with it. After an interruption, the same command \
            finishes it: one of the two keys works at each moment. Then delete the old key at the exchange.

            With --yes, a dangerous key or an account that the exchange does not name is refused unless --accept names it.

            EXAMPLES
              fueki exchange rotate main
              fueki exchange rotate main --key-file key.txt --secret-file key.pem --yes
            """)

    @OptionGroup var key: StoredKeyOptions
    @OptionGroup var newKey: NewKeyOptions

    @Flag(name: .shortAndLong, help: "Do not ask.")
    var yes = false

    @Option(
        help: .value(
            "risk",
            "Replace the key although: danger, account (it is not proven to be the same), old-journal. Several with commas, "
                + "or once for each."), completion: .list(RotationView.Risk.allCases.map(\.rawValue)))
    var accept: [String] = []

    @OptionGroup var connection: ExchangeConnectionOptions
    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var global: GlobalOptions

    private var words: [String] {
        accept.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
    }

    func validate() throws {
        try newKey.check(besides: passphrase)
        for word in words where RotationView.Risk(rawValue: word) == nil {
            let known = RotationView.Risk.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("--accept takes \(known), and not '\(word)'")
        }
    }

    func perform(_ output: Output) async throws(Failure) {
        let label = try key.keyLabel()
        let home = global.exchangeHome
        try await attempt { () async throws(CredentialError) in try await home.requireKeys() }
        let secret = try passphrase.existing(for: home)
        let keys: ExchangeKeys
        let venue: Venue
        do throws(CredentialError) {
            // For the exchange's name only: the keys are locked after the new one was typed.
            let keyring = try await home.openKeysForRequests(passphrase: secret).keyring
            venue = try await key.venue(in: keyring)
        } catch { throw error.failure }
        let credential = try newKey.credential(of: venue)
        do throws(CredentialError) { keys = try await home.openKeys(passphrase: secret, random: SystemRandom()) } catch
        {
            throw error.failure
        }
        let client = try connection.client(of: venue, key: label, in: keys.keyring, home)
        let accepted = Set(words.compactMap(RotationView.Risk.init))
        var review: RotationReview?
        var refusal: Failure?
        let rotation: Rotation
        do throws(ExchangeError) {
            let acceptsOlder = accepted.contains(.oldJournal)
            rotation = try await client.rotate(to: credential, acceptsOlderJournals: acceptsOlder) { found in
                review = found
                refusal = decline(found, label, accepted)
                return refusal == nil
            }
        } catch { throw error.failure }
        await keys.close()
        switch rotation {
        case .done(let report):
            try output.receipt(RotationView(replaced: report, review, of: label, time: .ofSystem))
        case .declined: throw refusal ?? .cancelled()
        case .otherAccount: throw RotationView.otherAccount
        }
    }

    /// Returns why the new key does not replace the old one; nil if it does.
    private func decline(
        _ review: RotationReview, _ label: KeyLabel, _ accepted: Set<RotationView.Risk>
    ) -> Failure? {
        let view = RotationView(review, of: label, time: .ofSystem)
        if yes { return view.failure(accepting: accepted) }
        do throws(Failure) {
            let text = view.question(in: .ofTerminal)
            // A dangerous key needs more than a habitual 'y'.
            let isAccepted =
                view.failure(accepting: accepted) == nil
                ? try Confirmation.ask("Replace the key '\(label)' by it?", about: text, insteadUse: "--yes")
                : try Confirmation.typed(
                    label.text, "To replace the key anyway, type its label", about: text, insteadUse: "--yes")
            return isAccepted ? nil : .cancelled()
        } catch { return error }
    }
}
