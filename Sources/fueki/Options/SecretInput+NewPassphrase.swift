internal import Mnemonics
internal import Presentation
internal import Secrets
internal import SecureStorage
internal import Terminal
internal import Texts

extension SecretInput {
    /// Returns a new passphrase. On the terminal the user types it twice, or has one proposed.
    ///
    /// - Parameter advice: a text that is shown on the terminal before the question.
    func newPassphrase(_ output: Output, advice: String? = nil) throws(Failure) -> SecretBytes {
        try new(
            "New passphrase: ", advice: advice, proposal: { ProposedPassphrase.make(from: SystemRandom()) }, output)
    }

    /// Returns a new passphrase of a wallet. If it is weak and the user declines it, asks for another one.
    ///
    /// - Parameters:
    ///   - threshold: the number of shares that are needed to sign.
    ///   - yes: whether a weak passphrase is accepted without a question.
    func newPassphrase(
        ofWallet name: String, threshold: Int, yes: Bool, _ output: Output
    ) throws(Failure) -> SecretBytes {
        while true {
            let secret = try newPassphrase(output, advice: NewWalletAdvice.passphrase)
            guard let weakness = PassphraseWeakness.first(in: secret, walletName: name) else { return secret }
            let warning = NewWalletAdvice.weakPassphrase(weakness, threshold: threshold)
            // A passphrase file means that the command may run without a user, so it asks no question.
            guard !isFile, !yes else {
                output.note(warning)
                return secret
            }
            let isMeant = try Confirmation.ask(
                "Continue anyway?", about: StyledText(Wrapped.text(warning), .warning),
                insteadUse: "--yes")
            if isMeant { return secret }
        }
    }
}
