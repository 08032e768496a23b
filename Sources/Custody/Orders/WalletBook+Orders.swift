extension WalletBook {
    /// What was admitted for an order, the oldest first. What failed is left out: no signature came of it.
    ///
    /// With a key, everything that has the key: its payment is made once, however often it is ordered. Without one, what has the
    /// same fingerprint, and a result that was never heard: somebody orders again because the first command died.
    ///
    /// - Throws: ``CustodyError/book(_:)`` with ``BookFault/otherOrder(key:)`` if the key stands for another order.
    public func attempts(at order: OrderIdentity) throws(CustodyError) -> [HistoryEntry] {
        try check(order)
        return entries.filter { entry in
            guard entry.counts, entry.order == order else { return false }
            return order.key != nil || !entry.isHeard
        }
    }

    /// What waits to be signed for an order.
    ///
    /// - Throws: ``CustodyError/book(_:)`` with ``BookFault/otherOrder(key:)`` if the key stands for another order.
    public func proposals(for order: OrderIdentity) throws(CustodyError) -> [PendingProposal] {
        try check(order)
        return proposals().filter { $0.order == nil ? order.key == nil : $0.order == order }
    }

    /// A key stands for one order for as long as anything of it is in the book, also for what failed.
    private func check(_ order: OrderIdentity) throws(CustodyError) {
        guard let key = order.key else { return }
        let others = entries.compactMap(\.order) + stored.compactMap(\.order)
        guard others.allSatisfy({ $0.key != key || $0 == order }) else { throw .book(.otherOrder(key: key)) }
    }

    /// Writes down that the caller who ordered this has heard what came of it. Call it when the result was handed over, and not before.
    ///
    /// What the attempt takes the place of, or is replaced by, has been heard of then; a further payment of the same order has not.
    /// Where there is no order, nothing changes. Only who ordered the payment may say this: one that speeds it up has not told the
    /// caller who waits for its result.
    ///
    /// - Parameter digest: of one of the attempts.
    /// - Throws: ``CustodyError/book(_:)``.
    public func acknowledge(_ digest: [UInt8]) async throws(CustodyError) {
        await enter()
        defer { leave() }
        guard let heard = entry(digest), let order = heard.order else { return }
        for var entry in entries
        where entry.order == order && !entry.isHeard && (entry.digest == digest || entry.conflicts(with: heard.slot)) {
            entry.isHeard = true
            try await write(entry)
        }
    }
}
