internal import Amounts
internal import Custody
internal import Encoding
internal import Ethereum
internal import Nodes
internal import Wallet

/// What `send`, `balance`, `speed-up` and `cancel` do on Ethereum and chains of its kind.
struct EthereumSending {
    let chain: ChainID
    let wallet: WalletRecord
    let node: NodeOptions
    let options: EthereumOptions
    let global: GlobalOptions
    let output: Output
    /// Whether the caller who is told ordered the payment, and does not only speed it up or cancel it.
    var isOrder = false

    /// - Parameter token: if given, what the accounts have of it as well.
    func balance(_ token: TokenOptions) async throws(Failure) {
        let node = try await node.ethereum(chain: chain)
        let held = try await self.token(token, on: node)
        let balance = try await EthereumBalance(of: wallet, account: options.account, token: held, on: node)
        try output.result(balance) { balance.text }
    }

    /// Pays.
    ///
    /// - Parameters:
    ///   - payee: an address, or the name of a contact, and an amount with its unit; of a token without.
    ///   - once: whether the same payment, ordered before, is this one.
    ///   - mayResend: what was signed before and never sent.
    ///   - waits: until it is mined.
    func send(
        to payee: PayeeOptions.Payee, _ once: OnceOptions, mayResend: Bool, token: TokenOptions, gas: GasOptions,
        fee: FeeOptions, signing: SigningOptions, waits: Bool
    ) async throws(Failure) {
        let amount = payee.amount
        guard amount != "all" else { throw .usage("'all' is for Bitcoin: --amount takes an amount here") }
        let (recipient, remark) = try EthereumRecipient.read(payee.name)
        let ether = token.token == nil ? try chain.amount(amount, of: "--amount").value : nil
        _ = try fee.highestFee(on: chain)
        let key = try once.key()
        let account = options.account ?? 0
        let node = try await node.ethereum(chain: chain)
        var held = try await self.token(token, on: node)

        let desk = try await SigningDesk.open(wallet, signing, global, output)
        let policy = try await policy(of: desk.book)
        try held?.check(by: policy, on: chain)
        let party = try recipient.address(among: await desk.book.contacts())
        var queue = try await EthereumQueue(
            of: account, in: wallet, desk.book, on: node, isRehearsal: desk.isRehearsal, output)
        let order =
            if let held {
                try EthereumOrder(paying: amount, of: held, to: party, from: queue.address)
            } else {
                EthereumOrder(paying: ether ?? .zero, to: party, from: queue.address)
            }
        let identity = order.identity(key: key, on: chain, account: account)
        let (attempts, proposals) = try await attempt { [book = desk.book] () async throws(CustodyError) in
            (try await book.attempts(at: identity), try await book.proposals(for: identity))
        }
        let isAsked = !signing.yes && signing.expect == nil
        try await queue.settle(mayResend ? .given : isAsked ? .ask : .withheld, for: attempts)
        if !once.again, let earlier = try await earlier(order, attempts, identity, through: &queue) {
            return try await tell(earlier, key: key, account: account, through: &queue, desk, waits: waits)
        }
        try await order.checkTokens(on: node)
        let same = self.proposals(of: order, among: proposals)
        let reserved = attempts.last { $0.state == .reserved }?.nonce
        let planned = (same.map(\.transaction.nonce) + [reserved].compactMap(\.self)).first { !queue.isTaken($0) }
        let nonce = try await queue.nonce(gas.nonce, planned: planned)
        let kept = same.first { $0.transaction.nonce == nonce }?.transaction
        if kept == nil, let first = same.first?.transaction.nonce {
            output.note("the payment that waited has number \(first), which is taken: it begins anew")
        }
        let plan =
            if let kept {
                try await EthereumPlan(keeping: kept, payee: party, from: queue.address, fee: fee, on: node)
            } else {
                try await EthereumPlan(
                    order.call, payee: party, nonce: nonce, gas: gas.gasLimit, fee: fee, on: node)
            }
        // Who was chosen before was looked at then: a slip of the finger is somebody else.
        let typing = await desk.book.chosen.contains(.ethereum(party)) ? nil : remark
        let remarks = [typing, order.remark, try await repetition(of: plan.transaction, identity, in: queue)]
        try await submit(
            plan, remarks.compactMap(\.self) + queue.remarks(on: nonce, isNamed: gas.nonce != nil), for: identity,
            through: &queue, desk, accepting: fee.accepted, waits: waits)
    }

    // MARK: - What was ordered before

    /// An attempt at this order, wherever it is.
    private func earlier(
        _ order: EthereumOrder, _ attempts: [HistoryEntry], _ identity: OrderIdentity,
        through queue: inout EthereumQueue
    ) async throws(Failure) -> EthereumEarlier? {
        if let earlier = try await EthereumEarlier.found(attempts, of: identity, through: &queue, now: .now) {
            return earlier
        }
        guard identity.key == nil else { return nil }
        // What was signed before orders were written down.
        let history = await queue.book.history()
        func isUnmarked(_ transaction: SignedEthereumTransaction) -> Bool {
            order.isDone(by: transaction.transaction)
                && history.last { $0.id == transaction.name }.map { $0.order == nil } ?? true
        }
        if let found = queue.found.last(where: isUnmarked) { return .waiting(found) }
        return queue.reverted.last { isUnmarked($0.transaction) }.map { .reverted($0.transaction, $0.receipt) }
    }

    /// Tells what became of the earlier one, in place of paying once more.
    private func tell(
        _ earlier: EthereumEarlier, key: PaymentKey?, account: UInt32, through queue: inout EthereumQueue,
        _ desk: borrowing SigningDesk, waits: Bool
    ) async throws(Failure) {
        let (transaction, receipt): (SignedEthereumTransaction, EthereumReceipt?) =
            switch earlier {
            case .waiting(let transaction): (transaction, nil)
            case .told(let transaction, _): (transaction, nil)
            case .mined(let transaction, let receipt), .reverted(let transaction, let receipt): (transaction, receipt)
            }
        guard !desk.isRehearsal else { throw .wouldBeSentAgain("transaction \(transaction.name)") }
        // A caller who orders once more because the first order ended without an answer wants to pay once.
        output.note(
            "this payment was made before, and is not made a second time"
                + (key == nil ? "; --again makes a further one" : ""))
        if case .told(_, let height) = earlier {
            var outcome = EthereumOutcome(transaction, account: account, shares: [], warnings: [], intent: nil)
            (outcome.state, outcome.height) = ("mined", height)
            return try await finish(outcome, transaction, through: queue, desk, waits: false)
        }
        try await queue.conclude(transaction)
        if let receipt, !receipt.isSuccess {
            // Who has read this may order it anew, and is asked.
            await desk.acknowledge(try queue.digest(of: transaction), isClosed: false)
            throw .reverted(transaction, receipt)
        }
        var outcome = EthereumOutcome(transaction, account: account, shares: [], warnings: [], intent: nil)
        if let receipt {
            try await queue.noteInHistory(.mined(height: receipt.height), of: transaction)
            outcome.note(receipt)
        }
        try await finish(outcome, transaction, through: queue, desk, waits: waits && receipt == nil)
    }

    /// A remark, if the same payment is on its way already: a script that tries again pays twice.
    private func repetition(
        of transaction: EthereumTransaction, _ identity: OrderIdentity, in queue: EthereumQueue
    ) async throws(Failure) -> Remark? {
        if let refused = queue.refused(like: transaction) {
            return Remark(
                "repeated",
                "the same payment is transaction \(refused.name), which a node refused, and which may be mined yet",
                .costly)
        }
        let now = UInt64.now
        // What has the same key is this payment, however old it is.
        let since = identity.key == nil ? now - min(now, EthereumEarlier.recent) : 0
        return try await EthereumTwin(of: transaction, ordered: identity, since: since, in: queue)?.remark
    }

    private func policy(of book: WalletBook) async throws(Failure) -> Policy {
        do throws(CustodyError) { return try await book.policy() } catch { throw error.failure }
    }

    private func token(_ options: TokenOptions, on node: EthereumNode) async throws(Failure) -> EthereumToken? {
        guard let token = options.token else { return nil }
        return try await EthereumToken(token, decimals: options.decimals, on: node)
    }

    /// The same payment, where it waits in the book for its time or for somebody's approval: another one would wait from the beginning.
    private func proposals(
        of order: EthereumOrder, among proposals: [PendingProposal]
    ) -> [(digest: [UInt8], transaction: EthereumTransaction)] {
        proposals.compactMap { proposal in
            guard case .ethereumTransaction(let transaction, options.account ?? 0) = proposal.payload,
                transaction.chainID == chain, order.isDone(by: transaction)
            else { return nil }
            return (proposal.digest, transaction)
        }
    }

    // MARK: - Signing and sending

    /// Has the transaction signed, takes its nonce, and sends it, in this order.
    ///
    /// - Parameters:
    ///   - order: the order that it is an attempt at.
    ///   - accepted: costly findings that the options of the command accept.
    func submit(
        _ plan: EthereumPlan, _ remarks: [Remark], for order: OrderIdentity?, through queue: inout EthereumQueue,
        _ desk: borrowing SigningDesk, accepting accepted: Set<String>, waits: Bool
    ) async throws(Failure) {
        guard
            let (signed, view) = try await desk.sign(
                .ethereumTransaction(plan.transaction, account: queue.account), node: plan.view, remarks: remarks,
                accepting: accepted, for: order)
        else { return }
        guard case .ethereumTransaction(let transaction) = signed.product else {
            preconditionFailure("a transaction becomes a transaction")
        }
        let warnings = desk.warnings(of: signed) + queue.warnings
        do throws(Failure) { try await queue.record(transaction) } catch {
            throw error.after(signing: transaction.name, view)
        }
        output.progress("sending \(transaction.name)")
        do throws(Failure) { try await queue.send(transaction) } catch {
            throw error.after(signing: transaction.name, view)
        }
        let outcome = EthereumOutcome(
            transaction, account: queue.account, shares: desk.shares, warnings: warnings, intent: view)
        try await finish(outcome, transaction, through: queue, desk, waits: waits)
    }

    private func finish(
        _ outcome: EthereumOutcome, _ transaction: SignedEthereumTransaction, through queue: EthereumQueue,
        _ desk: borrowing SigningDesk, waits: Bool
    ) async throws(Failure) {
        var outcome = outcome
        let digest = try queue.digest(of: transaction)
        if waits {
            let awaited = await desk.book.history().first { $0.digest == digest }
            // Meanwhile another command may want the book: to speed up what waits here.
            await desk.book.close()
            do throws(Failure) {
                let mined = try await EthereumWait(node: queue.node, output: output).mined(transaction) {
                    await desk.alternatives(to: digest)
                }
                // That it failed is the node's word: the payment stays sent, so that the same one is asked about.
                guard mined.receipt.isSuccess else {
                    if isOrder { await desk.acknowledge(digest, isClosed: true) }
                    throw .reverted(mined.transaction, mined.receipt)
                }
                let warning = await noteMined(mined.transaction, mined.receipt, queue, desk)
                if let entry = mined.entry, let awaited {
                    let instead = try MinedInstead(entry, insteadOf: awaited, at: mined.receipt.height)
                    outcome.note(instead, mined.transaction)
                    output.note("note: \(instead.warning)")
                }
                if let warning { outcome.warnings.append(warning) }
                outcome.note(mined.receipt)
            } catch { throw error.after(signing: transaction.name, outcome.intent) }
        }
        try output.result(outcome) { outcome.text }
        if isOrder { await desk.acknowledge(digest, isClosed: waits) }
    }

    /// - Returns: a warning, if the book cannot be written: the payment is made all the same.
    private func noteMined(
        _ transaction: SignedEthereumTransaction, _ receipt: EthereumReceipt, _ queue: EthereumQueue,
        _ desk: borrowing SigningDesk
    ) async -> String? {
        do throws(Failure) {
            try await desk.noteLater(.mined(height: receipt.height), of: queue.digest(of: transaction))
            return nil
        } catch {
            let warning = "it is mined, but the wallet's book could not be told: \(error.message)"
            output.note("warning: \(warning)")
            return warning
        }
    }
}
