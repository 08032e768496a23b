internal import Custody
internal import Presentation
internal import SigningSession
internal import Terminal
internal import Texts
internal import Wallet
internal import WalletBooks

/// Signs a message, and prints the signature.
enum MessageSigning {
    static func perform(
        _ payload: SigningPayload, _ wallet: WalletRecord, _ signing: SigningOptions, _ global: GlobalOptions,
        _ output: Output, accepting accepted: AcceptedFindings = .none
    ) async throws(Failure) {
        let accounts = try attempt { () throws(CustodyError) in try wallet.accounts }
        let address = PayloadDetails(payload, for: accounts).signer ?? ""
        let prompt = try await SigningPrompt.open(wallet, signing, global, output)
        let proposal = try await attempt { () async throws(SigningError) in try await prompt.flow.propose(payload) }
        guard let (signed, view) = try await prompt.sign(proposal, accepting: accepted) else { return }
        await prompt.flow.book.close()
        let warnings = prompt.warnings(of: signed)
        let outcome = SignedOutcome(
            message: signed.product, by: address, view, shares: prompt.shares, warnings: warnings)
        try output.receipt(outcome) { outcome.text }
    }
}
