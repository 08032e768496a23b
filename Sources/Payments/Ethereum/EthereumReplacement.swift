internal import Custody
internal import Encoding
internal import Ethereum
public import Nodes
public import SigningSession
internal import Wallet
internal import WalletBooks

extension EthereumPayments {
    /// The kind of a replacement for an unconfirmed transaction.
    public enum Replacement: Sendable {
        /// A transaction with the same effects and a higher fee.
        case faster
        /// A transaction without effects.
        case cancellation
    }

    /// Plans a replacement for an unconfirmed transaction, with the same nonce, so that only one of both can be mined.
    ///
    /// - Parameter hash: the transaction's hash, 32 bytes.
    /// - Throws: ``PaymentError/replacement(_:)``, ``PaymentError/ledger(_:)``, ``PaymentError/gas(_:)``,
    ///   ``PaymentError/node(_:)``, ``PaymentError/custody(_:)``.
    public static func planReplacement(
        of hash: [UInt8], by replacement: Replacement, fee: EthereumFee, account: UInt32?, _ flow: SigningFlow,
        at node: EthereumNode, report: @escaping PaymentListener = { _ in }
    ) async throws(PaymentError) -> (payments: EthereumPayments, plan: PlannedEthereumPayment) {
        try await flow.step { () async throws(PaymentError) in
            let payments = EthereumPayments(
                flow, at: node, account: try await Self.account(of: hash, account, flow, on: node.chain), report: report
            )
            return (payments, try await payments.planReplacement(of: hash, by: replacement, fee: fee))
        }
    }

    private func planReplacement(
        of hash: [UInt8], by replacement: Replacement, fee: EthereumFee
    ) async throws(PaymentError) -> PlannedEthereumPayment {
        let mark = await flow.book.lastNumber()
        let nonces = try await NonceManager(of: account, flow, on: node, report: report)
        let slot = try await waitingSlot(of: hash, in: nonces)
        // A signed transaction that does not fit into the ledger could not be recorded.
        guard
            slot.attempts.count < EthereumLimits.replacements || slot.attempts.contains(where: { $0.state == .refused })
        else { throw .ledger(.full(limit: EthereumLimits.replacements)) }
        let original = try standing(hash, in: slot, replacement)
        let address = nonces.address
        let plan = try await EthereumPlan(replacing: slot, from: address, fee: fee, on: node) {
            (fees, gas) throws(NonceLedger.Fault) in
            switch replacement {
            case .faster: try original.spedUp(fees, gas: gas)
            case .cancellation: try original.cancellation(by: address, fees, gas: gas ?? NodeLimits.leastGas)
            }
        }
        let order = await flow.book.history().last { $0.id == "0x" + Hex.encode(hash) }?.order
        return PlannedEthereumPayment(plan, account: account, findings: [], order: order, mark: mark, nonces: nonces)
    }

    /// Returns the transaction to replace: the last one with the same nonce that no node has refused.
    ///
    /// - Throws: ``ReplacementFault/replaced(id:by:)`` with its name, if the person has named another one.
    private func standing(
        _ hash: [UInt8], in slot: NonceLedger.Slot, _ replacement: Replacement
    ) throws(PaymentError) -> EthereumTransaction {
        let standing = (slot.attempts.last { $0.state != .refused } ?? slot.newest).transaction
        guard standing.hash != hash else { return standing.transaction }
        let named = slot.attempts.first { $0.transaction.hash == hash }
        let isSame = named.map { $0.transaction.transaction.doesTheSame(as: standing.transaction) } ?? false
        if isSame, case .cancellation = replacement { return standing.transaction }
        if isSame, named?.state == .refused { return standing.transaction }
        throw .replacement(.replaced(id: "0x" + Hex.encode(hash), by: standing.name))
    }

    /// Returns the account that made this transaction.
    private static func account(
        of hash: [UInt8], _ named: UInt32?, _ flow: SigningFlow, on chain: ChainID
    ) async throws(PaymentError) -> UInt32 {
        let (name, book, wallet) = ("0x" + Hex.encode(hash), flow.book, flow.wallet)
        if let other = await book.history().last(where: { $0.id == name })?.chain, other != .ethereum(chain) {
            throw .replacement(.otherChain(id: name, other))
        }
        if let named { return named }
        for index in 0..<WalletLimits.accounts {
            let address = try attempt { () throws(CustodyError) in try wallet.ethereumKey(at: index).address }
            let ledger = try await attempt { () async throws(CustodyError) in
                try await book.nonceLedger(on: chain, of: address)
            }
            if ledger.slot(of: hash) != nil { return index }
        }
        throw .ledger(.unknown)
    }

    /// Returns its nonce, and all signed transactions with it, if none of them is mined.
    private func waitingSlot(
        of hash: [UInt8], in nonces: NonceManager
    ) async throws(PaymentError) -> NonceLedger.Slot {
        guard let slot = nonces.slot(of: hash) else { throw .ledger(.unknown) }
        for attempt in slot.attempts {
            guard case .mined(let receipt) = try await nonces.status(of: attempt.transaction) else { continue }
            throw .replacement(.mined(id: attempt.transaction.name, height: receipt.height))
        }
        guard slot.usedAt == nil else { throw .ledger(.used(nonce: slot.nonce)) }
        return slot
    }
}

extension EthereumTransaction {
    /// Returns whether both pay the same amount to the same payee, or make the same call.
    func doesTheSame(as other: EthereumTransaction) -> Bool { does(EthereumCall(other, from: .zero)) }

    /// Returns whether it makes this call, from any account.
    func does(_ call: EthereumCall) -> Bool { to == call.to && value == call.value && data == call.data }
}
