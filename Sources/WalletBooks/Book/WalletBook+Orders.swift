public import Custody
internal import Time
public import Wallet

extension WalletBook {
    /// Returns the entries that were admitted for an order, the oldest first, without failed entries, which have no
    /// signature.
    ///
    /// With a payment key, these are all entries with the key: its payment is made once, however often it is ordered.
    /// Without a key, they are the entries with the same fingerprint whose result was never acknowledged: their command
    /// was killed, and the order is given again.
    ///
    /// - Throws: `CustodyError.book(_:)` with `BookFault.otherOrder(key:)` if the key belongs to another order.
    public func attempts(at order: OrderIdentity) throws(CustodyError) -> [HistoryEntry] {
        try check(order)
        return entries.filter { entry in
            guard entry.counts, entry.order == order else { return false }
            return order.key != nil || !entry.isHeard
        }
    }

    /// Returns the proposals of an order that wait to be signed.
    ///
    /// - Throws: `CustodyError.book(_:)` with `BookFault.otherOrder(key:)` if the key belongs to another order.
    public func proposals(for order: OrderIdentity) throws(CustodyError) -> [PendingProposal] {
        try check(order)
        return proposals().filter { $0.order == nil ? order.key == nil : $0.order == order }
    }

    /// Checks that the key belongs to one order only, while the book has any entry of it, also a failed one.
    private func check(_ order: OrderIdentity) throws(CustodyError) {
        guard let key = order.key else { return }
        let others = entries.compactMap(\.order) + stored.compactMap(\.order)
        guard others.allSatisfy({ $0.key != key || $0 == order }) else { throw .book(.otherOrder(key: key)) }
    }

    /// Records that the caller has the result of the order. Call this after the caller got the result, not
    /// before.
    ///
    /// It marks the attempt and the conflicting attempts of the same order; a further payment of the same order stays
    /// unacknowledged. An entry without an order does not change. Only the command that ordered the payment calls this:
    /// a command that speeds it up has not told the result to the caller who waits for it.
    ///
    /// - Parameter digest: the digest of one of the attempts.
    /// - Throws: `CustodyError.book(_:)`.
    public func acknowledge(_ digest: [UInt8]) async throws(CustodyError) {
        try await note(.heard, of: digest) { !$0.isHeard }
    }

    /// Records that a list of resumed payments showed the result, which no longer needs to be listed. It does not
    /// answer the order: the same order still finds its attempts.
    ///
    /// It marks the same attempts as ``acknowledge(_:)``.
    ///
    /// - Parameter digest: the digest of one of the attempts.
    /// - Throws: `CustodyError.book(_:)`.
    public func noteShown(_ digest: [UInt8]) async throws(CustodyError) {
        try await note(.shown, of: digest) { !$0.isShown }
    }

    private func note(
        _ hearing: HistoryEntry.Hearing, of digest: [UInt8], where isNews: (HistoryEntry) -> Bool
    ) async throws(CustodyError) {
        await lock.lock()
        defer { lock.unlock() }
        guard let reported = entry(digest), let order = reported.order else { return }
        let changed = entries.filter { entry in
            entry.order == order && isNews(entry)
                && (entry.digest == digest || entry.conflicts(with: reported.conflictSet))
        }
        guard !changed.isEmpty else { return }
        try await writeAll(
            changed.map { entry in
                var entry = entry
                entry.hearing = hearing
                return entry
            })
    }
}
