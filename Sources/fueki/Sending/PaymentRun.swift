internal import Custody
internal import ErrorTexts
internal import Payments
internal import Presentation
internal import SigningSession
internal import Terminal
internal import Texts

/// The steps of a payment that all chains share. The chain's code plans the payment, delivers it and prints its
/// outcome.
struct PaymentRun {
    let wallet: WalletRecord
    let node: NodeOptions
    let fees: FeeOptions
    let signing: SigningOptions
    /// Whether to wait until the transaction is mined.
    let waits: Bool
    let global: GlobalOptions
    let output: Output

    /// The parts of the outcome that the signing flow knows.
    struct Told {
        /// Whether it is a new payment; false for a speed-up, a cancellation or a consolidation.
        let isOrder: Bool
        var shares: [String] = []
        var warnings: [String] = []
        /// The signed intent; nil if it was signed before.
        var view: IntentView?
    }

    /// Reports the events of the payment to the user.
    var listener: PaymentListener { output.listener(for: wallet.name) }

    /// Asks for the passphrase, and opens the wallet's book.
    func open() async throws(Failure) -> SigningPrompt {
        try await SigningPrompt.open(wallet, signing, global, output)
    }

    /// Pays, and reports the outcome.
    ///
    /// - Parameters:
    ///   - units: the units of the paid tokens.
    ///   - isOrder: whether it is a new payment; false for a speed-up or a cancellation.
    ///   - pay: carries out a plan, and asks for confirmation with its parameter.
    func carryOut<Delivered>(
        _ prompt: SigningPrompt, units: TokenUnits = .listed, isOrder: Bool,
        pay: (
            (ProposedSigning) async throws(Failure) -> ConfirmedSigning?
        ) async throws(PaymentStop<Failure>) -> Paid<Delivered>?,
        tell: (Delivered, Told) throws(Failure) -> Void
    ) async throws(Failure) {
        var told = Told(isOrder: isOrder)
        let paid: Paid<Delivered>?
        do throws(PaymentStop<Failure>) {
            paid = try await pay { proposal throws(Failure) in
                let (confirmed, view) = try await prompt.confirm(proposal, accepting: fees.accepted, units: units)
                told.view = view
                return confirmed
            }
        } catch {
            switch error {
            case .refused(let failure): throw failure
            case .failed(let error): throw error.failure(in: prompt.unit)
            case .undelivered(let signed, let error):
                if isOrder { await prompt.flow.acknowledge(error, of: signed) }
                throw error.failure.after(signing: signed.product.name, told.view)
            }
        }
        guard let paid else { return }
        if let signed = paid.signed { (told.shares, told.warnings) = (prompt.shares, prompt.warnings(of: signed)) }
        // An order counts as answered only when its result was written completely.
        try tell(paid.delivered, told)
        if isOrder { await prompt.flow.acknowledge(paid.delivered) }
    }
}
