internal import ArgumentParser
internal import Custody
internal import ErrorTexts
internal import Presentation
internal import Secrets
internal import Terminal
internal import Texts

struct WalletCheck: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Open every share of a wallet, and see that each is whole and belongs to the others.",
        discussion: """
            Changes no share. Do it now and then, with the sticks and disks in place: a share that does not open is found \
            out while there are others. What an interrupted renewal left behind is removed. The exit code is that of the \
            first share that cannot be used.

            EXAMPLE
              fueki wallet check savings
            """)

    @OptionGroup var wallet: WalletArgument

    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var global: GlobalOptions

    func perform(_ output: Output) async throws(Failure) {
        let wallet = try global.wallet(named: wallet.name)
        let secret = try passphrase.existing()
        try await tidy(wallet.name, secret, output)
        let condition = global.walletHome.passphraseCondition(of: wallet)
        for sentence in PassphraseAdvice.sentences(on: condition, of: wallet.name) {
            output.note("warning: \(sentence)")
        }
        let places = PlaceAdvice(wallet.placeFindings(in: global.walletHome, on: .real), in: global.walletHome)
        var entries: [ShareCheckView] = []
        var errors: [CustodyError] = []
        for share in wallet.shares {
            let name = share.location.name
            output.progress(StepText("opening the \(name) share", done: "opened the \(name) share"))
            var failure: Failure?
            var warnings = places.sentences(about: share.location)
            if let warning = ShareCheckView.warning(on: share) {
                output.note("warning: \(warning)")
                warnings.append(warning)
            }
            do throws(CustodyError) {
                let counts = try await global.walletHome.check(share.location, of: wallet, passphrase: secret)
                if let warning = UnfinishedAdvice.sentence(on: counts, of: share.location, in: wallet.name) {
                    output.note("warning: \(warning)")
                    warnings.append(warning)
                }
            } catch {
                output.stepFailed()
                failure = error.failure
                errors.append(error)
            }
            entries.append(ShareCheckView(share, failure, warnings: warnings))
        }
        try output.result(entries) {
            let table = Table(entries.map(\.row)).text
            return ([table] + places.paragraphs(for: wallet.name)).joined(separator: "\n")
        }
        if let failure = ShareCheckView.failure(of: wallet, errors) { throw failure }
    }

    /// Removes the remains of a renewal: its unfinished files, or old share files in places that were not connected.
    private func tidy(_ name: WalletName, _ secret: borrowing SecretBytes, _ output: Output) async throws(Failure) {
        let cleanup = RenewalCleanup(of: name, in: global.walletHome)
        guard try attempt({ () throws(CustodyError) in try cleanup.isNeeded() }) else { return }
        output.progress(StepText("removing what a renewal left behind", done: "removed what a renewal left behind"))
        let remaining: [ShareRecord]
        do throws(CustodyError) { remaining = try await cleanup.remove(passphrase: secret) } catch {
            guard case .renewal(.unsettled) = error else { throw error.failure }
            // The check continues, and reports the problem of each share.
            let failure = error.failure
            return output.note("warning: \(failure.message)" + (failure.hint.map { "\n         \($0)" } ?? ""))
        }
        for share in remaining {
            output.note(
                "warning: a file of another epoch may still be at \(share.path); 'wallet check' removes it when it is there"
            )
        }
    }
}
