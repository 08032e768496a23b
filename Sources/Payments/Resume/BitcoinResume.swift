internal import Nodes
internal import SigningSession
internal import Wallet
internal import WalletBooks

extension BitcoinPayments {
    /// Resumes the payments of a program that was killed: finds their states, writes them into the book, and sends
    /// signed transactions that the node does not have, unchanged.
    ///
    /// It signs nothing, and needs no order. Call it when the program starts, show the results
    /// (`SigningFlow.unheard()`), and acknowledge them. A payment whose cancellation was signed is not sent again: the
    /// cancellation is.
    ///
    /// - Returns: the payments on the wallet's network that are open, or whose result is not acknowledged.
    /// - Throws: ``PaymentError/node(_:)`` if the node does not answer, ``PaymentError/custody(_:)``;
    ///   ``PaymentError/flow(_:)`` in a rehearsal. The error of a single payment is in ``ResumedPayment/problem``.
    public func resume() async throws(PaymentError) -> [ResumedPayment] {
        guard !flow.isRehearsal else { throw .flow(.rehearsal) }
        return try await flow.step { () async throws(PaymentError) in
            try await BitcoinRefresh(flow.book, at: chain, report: report).run()
            return try await flow.resume(on: .bitcoin(chain.network), { _ in true }) {
                (status) async throws(PaymentError) in
                let attempt = try await DuplicateBitcoinPayment.resumable(
                    at: status.order, status.attempts, in: await flow.book.history(), by: chain, now: flow.now())
                if let attempt { _ = try await resend(attempt) }
            }
        }
    }
}
