internal import Ceremonies
public import Custody
public import Ethereum
internal import Time
public import Wallet

extension WalletBook {
    /// Stores a proposal. A delay counts from the first time that it was proposed.
    ///
    /// - Parameter order: the order that the payload is an attempt at.
    /// - Throws: `CeremonyError.notWhatWasConfirmed` if the payload has another digest; `CustodyError.wallet(_:)`;
    ///   `CustodyError.book(_:)`, with `BookFault.tooLarge(_:)` or `BookFault.full(_:)` where it cannot be kept.
    public func propose(
        _ payload: SigningPayload, digest: [UInt8], now: UInt64, for order: OrderIdentity? = nil
    ) async throws(CustodyError) {
        await lock.lock()
        defer { lock.unlock() }
        try await correctTimes(to: now)
        guard !stored.contains(where: { $0.digest == digest }) else { return }
        guard try wallet.work(of: payload).intent.digest == digest else { throw .ceremony(.notWhatWasConfirmed) }
        let number = (stored.map(\.number).max() ?? 0) + 1
        let proposal = StoredProposal(
            number: number, digest: digest, times: times(of: now), payload: payload.encoded, order: order)
        guard proposal.payload.count <= Limits.proposalSize else { throw .book(.tooLarge(.proposals)) }
        guard stored.count < Limits.proposals,
            stored.reduce(proposal.payload.count, { $0 + $1.payload.count }) <= Limits.proposalsSize
        else { throw .book(.full(.proposals)) }
        try await file.save(proposal.encoded, as: Item.proposal(digest).name)
        stored.append(proposal)
    }

    /// Returns the waiting proposals, the oldest first.
    public func proposals() -> [PendingProposal] {
        stored.compactMap { proposal in
            // The program was interrupted after signing, before it removed the proposal here.
            guard entry(proposal.digest)?.isSigned != true,
                let payload = try? SigningPayload(decoding: proposal.payload)
            else { return nil }
            return PendingProposal(
                payload, digest: proposal.digest, firstProposed: proposal.times.last, order: proposal.order)
        }
    }

    /// Removes a proposal. If it is proposed again, its delay begins again.
    ///
    /// - Throws: `CustodyError.book(_:)`, with `BookFault.unknown` if the proposal does not exist.
    public func withdraw(_ digest: [UInt8]) async throws(CustodyError) {
        await lock.lock()
        defer { lock.unlock() }
        guard stored.contains(where: { $0.digest == digest }) else { throw .book(.unknown) }
        try await forgetProposal(digest)
    }

    func forgetProposal(_ digest: [UInt8]) async throws(CustodyError) {
        guard stored.contains(where: { $0.digest == digest }) else { return }
        try await file.delete(Item.proposal(digest).name)
        stored.removeAll { $0.digest == digest }
    }

    /// Removes every other proposal of the order that this entry is an attempt at: an order is signed once.
    func forgetProposals(besides entry: HistoryEntry) async throws(CustodyError) {
        guard let order = entry.order else { return }
        for proposal in stored where proposal.order == order { try await forgetProposal(proposal.digest) }
    }

    /// Returns when it was first proposed, also if it was signed since and is to be signed again.
    func firstProposed(_ digest: [UInt8], at now: UInt64) -> UInt64? {
        stored.first { $0.digest == digest }?.times.counts(at: now) ?? entry(digest)?.proposed
    }

    // MARK: - Nonces

    /// Returns the ledger of an account's nonces on a chain; an empty one if none is stored.
    ///
    /// - Throws: `CustodyError.book(_:)` with `BookFault.damaged(path:)`.
    public func nonceLedger(on chain: ChainID, of account: EthereumAddress) throws(CustodyError) -> NonceLedger {
        guard let bytes = ledgers[Self.name(chain, account)] else { return NonceLedger(chain: chain, account: account) }
        let ledger = try readable(try? NonceLedger(decoding: bytes))
        guard ledger.chain == chain, ledger.account == account else { throw damaged }
        return ledger
    }

    /// Changes the ledger of an account as it is stored now, whatever else has changed it since it was last read.
    ///
    /// - Parameter change: changes the ledger; if it throws, nothing is stored.
    /// - Returns: the ledger before the change, and the changed ledger or the fault that `change` threw.
    /// - Throws: `CustodyError.book(_:)`.
    public func changeNonceLedger(
        on chain: ChainID, of account: EthereumAddress,
        _ change: @Sendable (inout NonceLedger) throws(NonceLedger.Fault) -> Void
    ) async throws(CustodyError) -> (before: NonceLedger, after: Result<NonceLedger, NonceLedger.Fault>) {
        await lock.lock()
        defer { lock.unlock() }
        let before = try nonceLedger(on: chain, of: account)
        var after = before
        do throws(NonceLedger.Fault) { try change(&after) } catch { return (before, .failure(error)) }
        try await store(after)
        return (before, .success(after))
    }

    /// Checks that the nonce of a transaction can be recorded once the transaction is signed. Call it before anything
    /// is signed: a signature without a recorded nonce lets the next transaction take the same one.
    ///
    /// - Throws: `CustodyError.book(_:)` with `BookFault.full(_:)` or `BookFault.tooLarge(_:)`;
    ///   `CustodyError.wallet(_:)`.
    public func requireNonceRoom(for payload: SigningPayload) throws(CustodyError) {
        guard case .ethereum(let chain, let account, _) = try conflictSet(of: payload) else { return }
        let ledger = try nonceLedger(on: chain, of: account)
        try requireRoom(
            for: ledger.encoded.count + payload.signedSize + WalletLimits.bookItemGrowth, as: Self.name(chain, account))
    }

    private func requireRoom(for size: Int, as name: String) throws(CustodyError) {
        guard size <= Limits.nonceLedgerSize else { throw .book(.tooLarge(.nonces)) }
        let others = ledgers.filter { $0.key != name }
        guard others.count < Limits.nonceLedgers,
            others.values.reduce(size, { $0 + $1.count }) <= Limits.nonceLedgersSize
        else { throw .book(.full(.nonces)) }
    }

    private func store(_ ledger: NonceLedger) async throws(CustodyError) {
        let name = Self.name(ledger.chain, ledger.account)
        let bytes = ledger.encoded
        try requireRoom(for: bytes.count, as: name)
        try await file.save(bytes, as: Item.nonces(name).name)
        ledgers[name] = bytes
    }

    private static func name(_ chain: ChainID, _ account: EthereumAddress) -> String {
        "\(chain.value).\(account)"
    }
}
