internal import Custody
internal import Foundation
internal import Secrets
internal import Terminal

/// What `wallet refresh`, `wallet reshare` and `wallet repair` have in common.
struct RenewalRun {
    let renewal: Renewal
    let name: String
    let global: GlobalOptions
    let passphrase: PassphraseOptions

    /// What `wallet show` shows, and the old files that are still there.
    private struct Result: Encodable {
        struct Remaining: Encodable {
            let location: String
            let path: String
        }

        let wallet: WalletView
        let remaining: [Remaining]
        /// Files in the places of lost shares that are something else.
        let abandoned: [Remaining]
        /// What is wrong with the places of the new shares.
        let warnings: [String]

        private enum CodingKeys: CodingKey { case remaining, abandoned, warnings }

        func encode(to encoder: any Encoder) throws {
            try wallet.encode(to: encoder)
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(remaining, forKey: .remaining)
            try container.encode(abandoned, forKey: .abandoned)
            try container.encode(warnings, forKey: .warnings)
        }
    }

    /// - Parameter question: what is asked before anything is done; nothing, if it was confirmed already.
    func perform(
        _ output: Output, asking question: (WalletRecord) -> (question: String, subject: String)?
    ) async throws(Failure) {
        let walletName = try attempt { () throws(CustodyError) in try WalletName(name) }
        let run = WalletRenewal(renewal, of: walletName, in: global.walletHome)
        // What is in the way is told before anybody is asked anything.
        let wallet = try attempt { () throws(CustodyError) in try run.check() }
        output.warn(ofMissing: renewal.folders)
        let planned = try attempt { () throws(CustodyError) in try run.placeFindings(on: .real) }
        // The question shows them itself.
        let warnings = planned.map { PlaceAdvice($0, in: global.walletHome).sentences } ?? []
        let asked = question(wallet)
        if asked == nil, !renewal.folders.isEmpty { for warning in warnings { output.note("warning: \(warning)") } }
        if let (question, subject) = asked,
            try !Confirmation.ask(
                question, about: ([subject] + warnings.map { "warning: \($0)" }).joined(separator: "\n"),
                insteadUse: "--yes")
        {
            throw .notRenewed()
        }
        let secret = try passphrase.existing()
        let outcome = try await attempt { () async throws(CustodyError) in
            try await run.run(
                passphrase: secret, random: SystemRandom(), now: Int64(Date().timeIntervalSince1970)
            ) { step in output.progress(step.description) }
        }
        let view = try WalletView(outcome.wallet)
        func files(_ shares: [ShareRecord]) -> [Result.Remaining] {
            shares.map { Result.Remaining(location: $0.location.name, path: $0.path) }
        }
        let places = PlaceAdvice(outcome.wallet.placeFindings(in: global.walletHome, on: .real), in: global.walletHome)
        let result = Result(
            wallet: view, remaining: files(outcome.remaining), abandoned: files(outcome.abandoned),
            warnings: places.sentences)
        try output.result(result) { ([view.text, ""] + advice(outcome, places)).joined(separator: "\n") }
    }

    private func advice(_ outcome: WalletRenewal.Outcome, _ places: PlaceAdvice) -> [String] {
        var advice = [
            "The addresses are the same. Copies of the old share files are worthless to you; destroy them all,",
            "for as many of them as signed before are still the key. Another machine that has this wallet learns",
            "of the new shares by 'fueki wallet restore'; it must not renew them itself.",
        ]
        advice += files(
            """
            These old files may still be somewhere. Destroy them; those of this renewal 'fueki wallet check' removes
            once they are there again:
            """, outcome.remaining)
        advice += files(
            """
            These do not open as the shares that were lost, and were left as they are. They may be another wallet's,
            or another machine's: find out whose they are before you destroy them.
            """, outcome.abandoned)
        return advice + places.paragraphs(for: outcome.wallet.name)
    }

    /// A paragraph about files; nothing where there are none.
    private func files(_ text: String, _ shares: [ShareRecord]) -> [String] {
        shares.isEmpty ? [] : ["", text] + shares.map { "  \($0.location.name)  \($0.path)" }
    }
}
