internal import ArgumentParser
internal import Custody
internal import Presentation
internal import Secrets
internal import Terminal
internal import Texts
internal import Time
internal import WalletBooks

/// The common part of `wallet refresh`, `wallet reshare` and `wallet repair`.
struct RenewalOptions: ParsableArguments {
    @OptionGroup var device: DeviceKeyOption
    @OptionGroup var passphrase: PassphraseOptions

    /// Renews the shares and prints the renewed wallet. Obstacles are reported before any question.
    ///
    /// - Parameter isAsked: whether to ask the user if the renewal needs a confirmation.
    func run(
        _ renewal: Renewal, of name: String, in global: GlobalOptions, _ output: Output, isAsked: Bool
    ) async throws(Failure) {
        let walletName = try global.walletName(name)
        let known = try attempt { () throws(CustodyError) in try global.walletHome.wallet(walletName) }
        let run = WalletRenewal(
            renewal, of: walletName, in: global.walletHome,
            binding: try await device.binding(of: known, in: global.walletHome))
        let wallet = try attempt { () throws(CustodyError) in try run.check() }
        output.warn(ofMissing: renewal.folders)
        let planned = try attempt { () throws(CustodyError) in try run.placeFindings(on: .real) }
        let warnings = planned.map { PlaceAdvice($0, in: global.walletHome).sentences } ?? []
        if isAsked, let question = RenewalQuestion(before: renewal, of: wallet) {
            let subject = ([question.subject] + warnings.map { "warning: \($0)" }).joined(separator: "\n")
            guard try Confirmation.ask(question.text, about: subject, insteadUse: "--yes") else {
                throw .notRenewed()
            }
        } else if !renewal.folders.isEmpty {
            for warning in warnings { output.note("warning: \(warning)") }
        }
        let secret = try passphrase.existing()
        let outcome = try await global.walletHome.withBook(of: wallet, passphrase: secret) {
            (book) async throws(CustodyError) in
            try await book.run(
                run, passphrase: secret, random: SystemRandom(), now: Timestamp.now().seconds
            ) { step in output.progress(step.text) }
        }
        let view = try WalletView(
            outcome.wallet, label: global.walletHome.label(of: outcome.wallet.name),
            present: outcome.wallet.presentShares)
        let places = PlaceAdvice(outcome.wallet.placeFindings(in: global.walletHome, on: .real), in: global.walletHome)
        try output.receipt(WalletResult(view, outcome, warnings: places.sentences)) {
            ([view.text, ""] + RenewalAdvice.lines(after: outcome, places)).joined(separator: "\n")
        }
    }
}
