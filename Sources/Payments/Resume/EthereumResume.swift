internal import Custody
internal import Ethereum
public import Nodes
public import SigningSession
internal import Wallet
internal import WalletBooks

extension EthereumPayments {
    /// Resumes the payments of a program that was killed: finds their states, writes them into the book, and sends
    /// signed transactions that the node does not have, unchanged, in the order of their nonces.
    ///
    /// It signs nothing, and needs no order. Call it when the program starts, for each account
    /// (``resumeAll(_:at:account:mayResend:report:)``), show the results (`SigningFlow.unheard()`), and acknowledge them. A
    /// payment whose cancellation was signed is not sent again: the cancellation is.
    ///
    /// - Parameter mayResend: whether transactions that were signed without an order and never sent (such as a call of
    ///   a contract) are sent if they come first.
    /// - Returns: the account's payments on the chain that are open, or whose result is not acknowledged.
    /// - Throws: ``PaymentError/node(_:)`` if the node does not answer, ``PaymentError/custody(_:)``;
    ///   ``PaymentError/flow(_:)`` in a rehearsal. The error of a single payment is in ``ResumedPayment/problem``:
    ///   ``DeliveryFault/reverted(id:height:fee:_:)`` for one that failed in its block, until it is acknowledged.
    public func resume(mayResend: Bool = false) async throws(PaymentError) -> [ResumedPayment] {
        guard !flow.isRehearsal else { throw .flow(.rehearsal) }
        let (wallet, chain) = (flow.wallet, Chain.ethereum(node.chain))
        let address = try attempt { () throws(CustodyError) in try wallet.ethereumKey(at: account).address }
        func isMeant(_ status: PaymentStatus) -> Bool {
            status.heldAccounts.contains(account) || status.attempts.contains { $0.account == address }
        }
        return try await flow.step { () async throws(PaymentError) in
            try await EthereumRefresh(flow.book, at: node, report: report).run()
            let ordered = try await flow.payments().flatMap(\.attempts)
            return try await flow.resume(on: chain, isMeant) { (status) async throws(PaymentError) in
                var nonces = try await NonceManager(of: account, flow, on: node, report: report)
                try await nonces.settle(mayResend, for: ordered, isOrderedAgain: false)
                let found = try await DuplicateEthereumPayment.found(
                    status.attempts, of: status.order, isOrderedAgain: false, through: &nonces, now: flow.now())
                guard let found else { return try await nonces.explainLoss(of: status.attempts) }
                // A caller who acknowledges it has read that it failed.
                if case .reverted(let transaction, let receipt) = found {
                    try await nonces.conclude(transaction)
                    throw .delivery(DeliveryFault(reverted: transaction, receipt))
                }
                _ = try await concluded(EarlierEthereumPayment(found: found, nonces: nonces))
            }
        }
    }

    /// Resumes the payments of all accounts on a chain, as ``resume(mayResend:)`` does for each.
    ///
    /// - Parameters:
    ///   - flow: the signing flow.
    ///   - node: a node of the chain.
    ///   - account: the only account; nil for all that have open payments.
    ///   - mayResend: whether transactions that were signed without an order and never sent are sent if they come first.
    ///   - report: the listener for events.
    /// - Returns: the open payments on the chain. The node was not asked about those of another account, or of one that
    ///   is not among the first `WalletLimits.accounts` (``ResumedPayment/isAsked``).
    /// - Throws: the errors of ``resume(mayResend:)``.
    public static func resumeAll(
        _ flow: SigningFlow, at node: EthereumNode, account: UInt32? = nil, mayResend: Bool = false,
        report: @escaping PaymentListener = { _ in }
    ) async throws(PaymentError) -> [ResumedPayment] {
        func open() async throws(PaymentError) -> [PaymentStatus] {
            try await flow.payments().filter { $0.chain == .ethereum(node.chain) }
        }
        var resumed: [ResumedPayment] = []
        let accounts: [UInt32] =
            if let account { [account] } else { try flow.ethereumAccounts(of: try await open()) }
        for account in accounts {
            resumed += try await EthereumPayments(flow, at: node, account: account, report: report)
                .resume(mayResend: mayResend)
        }
        let asked = Set(resumed.map(\.status.name))
        return resumed + (try await open()).filter { !asked.contains($0.name) }.map { ResumedPayment(unasked: $0) }
    }
}

extension SigningFlow {
    /// Returns the accounts that make these payments, in ascending order; without those that are not among the first
    /// `WalletLimits.accounts`.
    fileprivate func ethereumAccounts(of payments: [PaymentStatus]) throws(PaymentError) -> [UInt32] {
        var accounts = Set(payments.flatMap { $0.heldAccounts })
        for address in Set(payments.flatMap { $0.attempts.compactMap(\.account) }) {
            let number = try attempt { () throws(CustodyError) in
                try wallet.number(of: address, among: 0..<WalletLimits.accounts)
            }
            if let number { accounts.insert(number) }
        }
        return accounts.sorted()
    }
}

extension NonceManager {
    /// Explains why none of these attempts is sent again: a block has used their nonce for another transaction.
    ///
    /// - Throws: ``PaymentError/delivery(_:)`` with ``DeliveryFault/minedInstead(id:by:height:)`` for one of the wallet
    ///   that the book does not count as mined, since it failed; with ``DeliveryFault/replacedByUnknown(id:)`` for one
    ///   that the book does not have.
    fileprivate func explainLoss(of attempts: [HistoryEntry]) async throws(PaymentError) {
        let history = await book.history()
        for entry in attempts.reversed() where entry.awaitsBlock && !entry.isCancellation {
            guard let transaction = entry.signedEthereumTransaction, isUsed(transaction),
                entry.rival(in: history) == nil
            else { continue }
            // It is in a block itself, where it failed.
            if case .mined = try await status(of: transaction) { continue }
            for other in entry.alternatives(in: history).reversed() {
                guard let rival = other.signedEthereumTransaction,
                    case .mined(let receipt) = try await status(of: rival)
                else { continue }
                throw .delivery(.minedInstead(id: transaction.name, by: rival.name, height: receipt.height))
            }
            throw .delivery(.replacedByUnknown(id: transaction.name))
        }
    }
}

extension PaymentStatus {
    /// The Ethereum accounts of its proposals.
    fileprivate var heldAccounts: [UInt32] {
        held.compactMap { if case .ethereumTransaction(_, let account) = $0.payload { account } else { nil } }
    }
}

extension HistoryEntry {
    /// The Ethereum account whose nonce it uses.
    fileprivate var account: EthereumAddress? {
        guard case .ethereum(_, let account, _) = conflictSet else { return nil }
        return account
    }
}
