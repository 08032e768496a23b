internal import Custody
public import SigningSession
public import Wallet
internal import WalletBooks

extension SigningFlow {
    /// Returns the payments in the wallet's book that no block has decided yet, or whose result is not acknowledged. No
    /// node is asked.
    ///
    /// - Returns: the payments, oldest first; proposals come last.
    /// - Throws: ``PaymentError/flow(_:)``, ``PaymentError/custody(_:)``.
    public func payments() async throws(PaymentError) -> [PaymentStatus] {
        try await step { () async throws(PaymentError) in
            PaymentStatus.all(in: await book.history(), await book.proposals(), on: wallet.network).filter(\.isOpen)
        }
    }

    /// Returns the payments that a program may resume, by their chains: those of ``payments()`` whose result is not
    /// acknowledged.
    ///
    /// - Parameter chain: the only chain; nil for all.
    /// - Throws: ``PaymentError/flow(_:)``, ``PaymentError/custody(_:)``.
    public func openPayments(on chain: ChainName? = nil) async throws(PaymentError) -> OpenPayments {
        let network = wallet.network
        return OpenPayments(
            try await payments().filter { !$0.isHeard }.compactMap { status in
                guard let name = ChainName(status.chain, of: network), chain == nil || chain == name else { return nil }
                return (name, status)
            })
    }

    /// Returns the payments that are signed, and whose result is not acknowledged: show the result to the person, save
    /// it, and then call ``acknowledge(_:)-(PaymentStatus)``. A result is returned again until then.
    ///
    /// - Throws: ``PaymentError/flow(_:)``, ``PaymentError/custody(_:)``.
    public func unheard() async throws(PaymentError) -> [PaymentStatus] {
        try await payments().filter { $0.hasResult && !$0.isHeard }
    }

    /// Records that the result was shown in a list of resumed payments: ``unheard()`` no longer returns it. It does not
    /// answer the order, whose caller may not have seen the list: the same order still answers with this payment, and
    /// pays nothing. Does nothing for a payment without a result.
    public func acknowledge(_ payment: PaymentStatus) async {
        guard payment.hasResult else { return }
        for attempt in payment.attempts where !attempt.isShown {
            await acknowledging { (book) throws(CustodyError) in try await book.noteShown(attempt.digest) }
        }
    }

    /// Handles each payment on a chain that is under way and whose result is not acknowledged.
    ///
    /// - Parameter handOver: sends a transaction that the node does not have.
    /// - Returns: the payments in their new states.
    func resume(
        on chain: Chain, _ isMeant: (PaymentStatus) -> Bool,
        _ handOver: (PaymentStatus) async throws(PaymentError) -> Void
    ) async throws(PaymentError) -> [ResumedPayment] {
        var problems: [[UInt8]: PaymentError] = [:]
        for status in try await payments() where status.chain == chain && isMeant(status) {
            guard status.isUnderway, !status.isHeard else { continue }
            do throws(PaymentError) { try await handOver(status) } catch { problems[status.name] = error }
        }
        return try await payments().filter { $0.chain == chain && isMeant($0) }.map { status in
            ResumedPayment(status: status, problem: problems[status.name])
        }
    }
}
