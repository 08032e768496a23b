public import Bitcoin
internal import Ceremonies
public import Custody
internal import HDKeys
public import Nodes
public import Payments
public import Secrets
public import Wallet

/// A planned sweep of all coins of a mnemonic's Bitcoin accounts to a wallet of shares.
public struct BitcoinSweep: Sendable {
    /// The planned transactions.
    public let plan: SweepPlan
    /// The effects of each transaction, in the order of `SweepPlan.rounds`.
    public let summaries: [SpendSummary]
    /// The wallet's receiving address.
    public let address: Address<Checked>
    /// The index of the receiving address.
    public let index: UInt32
    /// The coins that the node lists and that were skipped.
    public let unlisted: UnlistedCoins
    private let row: ShownAddresses.Row
    private let wallet: WalletRecord
    private let home: WalletHome
    private let ownership: Ownership
    private let chain: any BitcoinChain
    private let report: PaymentListener

    /// Searches for the coins, and plans as few transactions as possible, most valuable coins first.
    ///
    /// - Parameters:
    ///   - accounts: the mnemonic's accounts.
    ///   - wallet: the receiving wallet, whose description was verified; its next receiving address is paid.
    ///   - reach: the addresses of the accounts to search.
    ///   - random: the random source for the order of inputs.
    /// - Throws: `PaymentError.sweep(_:)`, `PaymentError.plan(_:)`, `PaymentError.address(_:)`,
    ///   `PaymentError.node(_:)`, `PaymentError.custody(_:)`.
    public init(
        of accounts: Accounts, into wallet: ProvenWallet, in home: WalletHome, reach: AddressReach, fee: BitcoinFee,
        at chain: any BitcoinChain, random: some RandomSource = SystemRandom(),
        report: @escaping PaymentListener = { _ in }
    ) async throws(PaymentError) {
        let wallet = wallet.record
        try wallet.requireSharedFromBirth()
        let scripts = try WalletScripts(of: accounts, reach)
        let ownership = scripts.ownership
        let receiving = try ReceivingAddresses(.taproot, of: wallet, in: home)
        report(.askingForCoins)
        let (found, rates, height) = try await PaymentError.attempt { () async throws(NodeError) in
            (
                try await chain.coins(of: scripts.all + receiving.scripts(for: chain)), try await chain.feeRates(),
                try await chain.height()
            )
        }
        let coins = found.coins.compactMap { Coin($0, of: ownership) }.inOrder()
        guard !coins.isEmpty else { throw .sweep(.noCoins) }
        let index = try await receiving.unused(by: chain, found).index
        let paid = try PaymentError.attempt { () throws(CustodyError) in try wallet.accounts }
        let (address, change) = try PaymentError.attempt { () throws(HDKeyError) in
            (
                try paid.taproot.address(at: AddressPath(.receive, index: index)),
                DerivedKey.taproot(try accounts.taproot.key(at: AddressPath(.change, index: 0)))
            )
        }
        let feeRate = try fee.rate(by: rates)
        let plan = try PaymentError.attempt { () throws(PlanRefusal) in
            try SweepPlan(
                paying: address, from: coins, feeRate: feeRate, feeCeiling: fee.ceiling,
                change: change, blockHeight: height, for: ownership, seed: random.publicBytes(count: 32))
        }
        let summaries = plan.rounds.map { SpendSummary(of: $0.psbt, for: ownership) }
        for summary in summaries where !summary.refusals.isEmpty {
            throw .custody(.ceremony(.refused(Intent(summary).refusals)))
        }
        self.plan = plan
        self.summaries = summaries
        self.address = address
        self.index = index
        self.wallet = wallet
        self.home = home
        self.ownership = ownership
        self.chain = chain
        self.report = report
        unlisted = UnlistedCoins(found, on: wallet.network)
        row = receiving.row
    }

    /// Signs and sends one transaction after another. After an interruption the same sweep continues with the unspent
    /// coins.
    ///
    /// - Parameters:
    ///   - accounts: the accounts for which it was planned.
    ///   - random: the random source for the signatures.
    ///   - hearing: the listener for each sent transaction.
    /// - Throws: `PaymentError.sweep(_:)` with `SweepFault.interrupted(sent:_:)` after the first one,
    ///   `PaymentError.delivery(_:)`.
    public func send(
        from accounts: borrowing MnemonicAccounts, random: some RandomSource = SystemRandom(),
        hearing: (TransactionID) -> Void = { _ in }
    ) async throws(PaymentError) -> [TransactionID] {
        // From now on another address is the next to be given out.
        do throws(CustodyError) { _ = try await home.noteShown(index, in: row, of: wallet) } catch {
            throw .custody(error)
        }
        let handover = BitcoinHandover(chain: chain, report: report)
        var sent: [TransactionID] = []
        for round in plan.rounds {
            do throws(PaymentError) {
                let signed: Transaction
                do throws(BitcoinError) {
                    signed = try accounts.sign(round.psbt, as: ownership, random: random).finalised().transaction()
                } catch { throw error.asPaymentError }
                try await handover.send(signed)
                sent.append(signed.id)
                hearing(signed.id)
            } catch {
                guard !sent.isEmpty else { throw error }
                throw .sweep(.interrupted(sent: sent, error))
            }
        }
        return sent
    }
}

extension WalletRecord {
    /// Checks that the wallet is not imported: every person who has the words of an imported one would still have the
    /// coins.
    ///
    /// - Throws: `PaymentError.sweep(_:)` with `SweepFault.importedWallet`.
    public func requireSharedFromBirth() throws(PaymentError) {
        guard imported == nil else { throw .sweep(.importedWallet) }
    }
}
