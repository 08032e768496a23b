internal import Bitcoin
internal import Custody
internal import ErrorTexts
internal import Payments
internal import Presentation
internal import SigningSession
internal import Terminal
internal import Texts
internal import Wallet
internal import WalletBooks

/// The Bitcoin payments of `send`, `speed-up`, `cancel` and `coins consolidate`.
struct BitcoinSending {
    let payment: PaymentRun
    let options: BitcoinOptions
    var coins = CoinOptions()

    func send(to named: [NamedPayee], _ once: OnceOptions) async throws(Failure) {
        // Errors in the command line are reported before the question for the passphrase.
        let payees = try attempt { () throws(PayeeFault) in try BitcoinPayees(named, on: wallet.network) }
        let (key, expected, coins) = (try once.key(), try payment.signing.expectedDigest(), try coins.control())
        try await run(isOrder: true) { (payments, book, fee) async throws(PaymentError) in
            try await payments.plan(
                try payees.order(among: await book.contacts(), key: key), fee: fee, coins: coins,
                isFurther: once.again, expecting: expected)
        }
    }

    func speedUp(_ transaction: String) async throws(Failure) {
        try await replace(transaction) { (payments, id, fee) async throws(PaymentError) in
            try await payments.planSpeedUp(of: id, fee: fee)
        }
    }

    func cancel(_ transaction: String) async throws(Failure) {
        try await replace(transaction) { (payments, id, fee) async throws(PaymentError) in
            .fresh(try await payments.planCancellation(of: id, fee: fee))
        }
    }

    /// Joins the smallest coins into one coin at an unused change address.
    func consolidate(most: Int) async throws(Failure) {
        try await run(isOrder: false) { (payments, _, fee) async throws(PaymentError) in
            .fresh(try await payments.planConsolidation(most: most, fee: fee))
        }
    }

    private func replace(
        _ transaction: String,
        _ plan: (BitcoinPayments, TransactionID, BitcoinFee) async throws(PaymentError) -> BitcoinPayments.Planning
    ) async throws(Failure) {
        let short = try ShortID.read(transaction, on: .bitcoin)
        try await run(isOrder: false) { (payments, book, fee) async throws(Failure) in
            let id = try await book.transaction(named: short, as: transaction, on: wallet.network)
            do throws(PaymentError) { return try await plan(payments, id, fee) } catch {
                throw error.failure(in: try payment.global.unit(for: wallet))
            }
        }
    }

    private func run<Problem: Explained>(
        isOrder: Bool,
        _ plan: (BitcoinPayments, WalletBook, BitcoinFee) async throws(Problem) -> BitcoinPayments.Planning
    ) async throws(Failure) {
        let fee = try payment.fees.onBitcoin(rate: options.namedRate())
        let chain = try await payment.node.bitcoin(for: wallet)
        let prompt = try await payment.open()
        let reach = options.addresses.reach(of: wallet, in: payment.global.walletHome)
        let payments = BitcoinPayments(prompt.flow, at: chain, reach: reach, report: payment.listener)
        let waits = payment.waits
        let planning: BitcoinPayments.Planning
        do throws(Problem) { planning = try await plan(payments, prompt.flow.book, fee) } catch {
            throw (error as? PaymentError)?.failure(in: prompt.unit) ?? error.failure
        }
        try await payment.carryOut(
            prompt, isOrder: isOrder,
            pay: { ask throws(PaymentStop<Failure>) in
                try await payments.pay(planning, untilMined: waits, confirm: ask)
            }, tell: tell)
    }

    private func tell(_ delivered: DeliveredBitcoinPayment, _ told: PaymentRun.Told) throws(Failure) {
        let result = BitcoinOutcome(
            delivered, on: wallet.network, shares: told.shares, warnings: told.warnings, intent: told.view)
        do throws(Failure) { try payment.output.receipt(result) { result.text } } catch {
            throw error.ofUnreported(result.id, isOrder: told.isOrder).after(signing: result.id, told.view)
        }
    }

    private var wallet: WalletRecord { payment.wallet }
}
