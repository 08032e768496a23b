internal import Custody
internal import ErrorTexts
internal import Payments
internal import Presentation
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

    /// Asks for the passphrase, and opens the wallet's book.
    func open() async throws(Failure) -> SigningPrompt {
        try await SigningPrompt.open(wallet, signing, global, output)
    }

    /// Proposes a plan, asks for confirmation, signs, delivers, and reports the outcome.
    ///
    /// - Parameters:
    ///   - units: the units of the paid tokens.
    ///   - isOrder: whether it is a new payment; false for a speed-up or a cancellation.
    func carryOut<Delivered: DeliveredPayment>(
        _ prompt: SigningPrompt, units: TokenUnits = .listed, isOrder: Bool,
        propose: () async throws(PaymentError) -> ProposedSigning,
        deliver: (SignedProposal) async throws(PaymentError) -> Delivered,
        tell: (Delivered, Told) throws(Failure) -> Void
    ) async throws(Failure) {
        let proposal: ProposedSigning
        do throws(PaymentError) { proposal = try await propose() } catch { throw error.failure }
        guard let (signed, view) = try await prompt.sign(proposal, accepting: fees.accepted, units: units) else {
            return
        }
        let told = Told(isOrder: isOrder, shares: prompt.shares, warnings: prompt.warnings(of: signed), view: view)
        let delivered: Delivered
        do throws(PaymentError) { delivered = try await deliver(signed) } catch {
            if isOrder { await prompt.flow.acknowledge(error, of: signed) }
            throw error.failure.after(signing: signed.product.name, view)
        }
        // An order counts as answered only when its result was written completely.
        try tell(delivered, told)
        if isOrder { await prompt.flow.acknowledge(delivered) }
    }
}
