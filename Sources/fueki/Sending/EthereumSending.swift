internal import Custody
internal import Encoding
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
    ///   - name: an address, or the name of a contact.
    ///   - amount: with its unit; of a token without.
    ///   - waits: until it is mined.
    func send(
        to name: String, amount: String, token: TokenOptions, gas: GasOptions, fee: FeeOptions,
        signing: SigningOptions, waits: Bool
    ) async throws(Failure) {
        guard amount != "all" else { throw .usage("'all' is for Bitcoin: --amount takes an amount here") }
        let (recipient, remark) = try EthereumRecipient.read(name)
        let ether = token.token == nil ? try MoneyUnit.amount(amount, in: .ether, of: "--amount") : nil
        _ = try fee.highestFee(in: .ether)
        let account = options.account ?? 0
        let node = try await node.ethereum(chain: chain)
        var held = try await self.token(token, on: node)

        let desk = try await SigningDesk.open(wallet, signing, global, output)
        let policy = try await policy(of: desk.book)
        try held?.check(by: policy, on: chain)
        let payee = try recipient.address(among: await desk.book.contacts())
        var queue = try await EthereumQueue(
            of: account, in: wallet, desk.book, on: node, isRehearsal: desk.isRehearsal, output)
        let order =
            if let held {
                try EthereumOrder(paying: amount, of: held, to: payee, from: queue.address)
            } else {
                EthereumOrder(paying: ether ?? .zero, to: payee, from: queue.address)
            }
        try await queue.settle()
        if let earlier = queue.found.last(where: { order.isDone(by: $0.transaction) }) {
            guard !desk.isRehearsal else { throw .wouldBeSentAgain("transaction \(earlier.name)") }
            // Whoever calls a second time because the first one ended without an answer wants to pay once.
            output.note("this is the payment that was ordered; it is not made a second time")
            try await queue.conclude(earlier)
            let outcome = EthereumOutcome(earlier, account: account, shares: [], warnings: [], intent: nil)
            return try await finish(outcome, earlier, through: queue, desk, waits: waits)
        }
        if let (failed, receipt) = queue.reverted.last(where: { order.isDone(by: $0.transaction.transaction) }) {
            // Whoever has read this may order it anew, and is asked.
            try await queue.conclude(failed)
            throw .reverted(failed, receipt)
        }
        try await order.checkTokens(on: node)
        let same = await proposals(of: order, in: desk.book)
        let planned = same.first { !queue.isTaken($0.transaction.nonce) }?.transaction.nonce
        let nonce = try await queue.nonce(gas.nonce, planned: planned)
        let kept = same.first { $0.transaction.nonce == nonce }?.transaction
        if kept == nil, let first = same.first?.transaction.nonce {
            output.note("the payment that waited has number \(first), which is taken: it begins anew")
        }
        let plan =
            if let kept {
                try await EthereumPlan(keeping: kept, payee: payee, from: queue.address, fee: fee, on: node)
            } else {
                try await EthereumPlan(
                    order.call, payee: payee, nonce: nonce, gas: gas.gasLimit, fee: fee, on: node)
            }
        // Who was chosen before was looked at then: a slip of the finger is somebody else.
        let typing = await desk.book.chosen.contains(.ethereum(payee)) ? nil : remark
        let remarks = [typing, order.remark, try await repetition(of: plan.transaction, in: queue)]
        try await submit(
            plan, remarks.compactMap(\.self) + queue.remarks(on: nonce, isNamed: gas.nonce != nil), through: &queue,
            desk, outdated: same.map(\.digest), accepting: fee.accepted, waits: waits)
    }

    /// For how long the same payment may be a mistake.
    private static let memory: UInt64 = 14 * 86_400

    /// A remark, if the same payment is on its way already: a script that tries again pays twice.
    private func repetition(
        of transaction: EthereumTransaction, in queue: EthereumQueue
    ) async throws(Failure) -> Remark? {
        if let refused = queue.refused(like: transaction) {
            return Remark(
                "repeated",
                "the same payment is transaction \(refused.name), which a node refused, and which may be mined yet",
                .costly)
        }
        let now = UInt64.now
        return try await EthereumTwin(of: transaction, since: now - min(now, Self.memory), in: queue)?.remark
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
        of order: EthereumOrder, in book: WalletBook
    ) async -> [(digest: [UInt8], transaction: EthereumTransaction)] {
        await book.proposals().compactMap { proposal in
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
    ///   - outdated: what waits to be signed and does the same: it is withdrawn when this is signed.
    ///   - accepted: costly findings that the options of the command accept.
    func submit(
        _ plan: EthereumPlan, _ remarks: [Remark], through queue: inout EthereumQueue, _ desk: borrowing SigningDesk,
        outdated: [[UInt8]] = [], accepting accepted: Set<String>, waits: Bool
    ) async throws(Failure) {
        guard
            let (signed, view) = try await desk.sign(
                .ethereumTransaction(plan.transaction, account: queue.account), node: plan.view, remarks: remarks,
                accepting: accepted)
        else { return }
        guard case .ethereumTransaction(let transaction) = signed.product else {
            preconditionFailure("a transaction becomes a transaction")
        }
        let warnings = desk.warnings(of: signed) + queue.warnings
        do throws(Failure) { try await queue.record(transaction) } catch {
            throw error.after(signing: transaction.name, view)
        }
        // The one that is signed does not wait any more. Where another one stays, 'pending list' shows it.
        for digest in outdated { try? await desk.book.withdraw(digest) }
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
        if waits {
            // Meanwhile another command may want the book: to speed up what waits here.
            await desk.book.close()
            let receipt: EthereumReceipt
            do throws(Failure) {
                receipt = try await EthereumWait(node: queue.node, output: output).receipt(of: transaction)
            } catch { throw error.after(signing: transaction.name, outcome.intent) }
            // That it failed is the node's word: the payment stays sent, so that the same one is asked about.
            guard receipt.isSuccess else {
                throw .reverted(transaction, receipt).after(signing: transaction.name, outcome.intent)
            }
            if let warning = await noteMined(transaction, receipt, queue, desk) { outcome.warnings.append(warning) }
            outcome.note(receipt)
        }
        try output.result(outcome) { outcome.text }
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
