internal import ExchangeCredentials
internal import PinnedHTTP
public import Time

// MARK: Orders

extension ExchangeClient {
    /// Places an order, once.
    ///
    /// The order is durable in the journal before its first byte leaves. A second call with the same id sends nothing
    /// while the journal has it: it returns what became of the first one, unless that one is
    /// ``JournalEntry/State/notSent``, which may be sent again. The journal has the last
    /// ``ExchangeLimits/journalOrders`` orders; if it was deleted or is an older copy, the call throws
    /// ``StateFault/olderJournal(found:expected:)``. The call repeats a request in one case only: the exchange refused
    /// it because of the clock, which says that nothing was accepted.
    ///
    /// After an unclear answer the call looks for the order by its id, until the exchange has it, or can no longer
    /// accept it. This takes up to the window and ``ExchangeLimits/settling``.
    ///
    /// After a pause of this machine the order is not repeated either: the exchange refuses the old time, and the call
    /// returns that refusal.
    ///
    /// - Parameters:
    ///   - order: the order.
    ///   - id: a new id. After ``OrderOutcome/absent`` and the like, another attempt needs another id.
    ///   - isReported: whether the journal need not remember that a person has not seen the outcome:
    ///     ``unreportedOrders()``. Otherwise this process holds the order until ``noteReported(_:)``.
    ///   - given: the time at which a person gave the order without an id; nil if the id tells it from others. With the
    ///     time, ``ExchangeError/sameOrder(_:)`` is thrown in place of a second order that may be the first one again.
    /// - Returns: the outcome.
    /// - Throws: ``ExchangeError``: nothing was sent.
    public func place(
        _ order: Order, as id: ClientOrderID, isReported: Bool = true, unlessSameSince given: Timestamp? = nil
    ) async throws(ExchangeError) -> OrderOutcome {
        let hold = isReported ? nil : try state.hold(id, at: venue)
        if let hold { holds[id] = hold }
        do throws(ExchangeError) { return try await send(order, id, isReported, given) } catch {
            if hold != nil { holds[id] = nil }
            throw error
        }
    }

    private func send(
        _ order: Order, _ id: ClientOrderID, _ isReported: Bool, _ given: Timestamp?
    ) async throws(ExchangeError) -> OrderOutcome {
        try check(order)
        let called = clock.now()
        let key = try await credential().key
        if let known = try state.journal(of: key)[id] {
            guard known.order == order else { throw .idTaken }
            // Nothing of it was sent, or the exchange did not act: this is another attempt.
            guard known.state == .notSent else { return try await outcome(of: known, key, .notAnswered) }
        }
        let begun = clock.now()
        var refusedForTime: Refusal?
        while true {
            let attempt: Attempt
            do throws(ExchangeError) {
                let isRepeated = refusedForTime != nil
                attempt = try await self.attempt(.place(order, id)) { stamp, used throws(ExchangeError) in
                    // A rotation has replaced the key, and its journal would not have the order.
                    guard used == key else { throw .busy }
                    // A machine that slept meanwhile would place an order that its user wanted hours ago.
                    let now = self.clock.now()
                    guard now >= called, now.since(called) <= ExchangeLimits.preparation else { throw .late }
                    guard try await self.journal(order, id, key, stamp, isRepeated, isReported, given) else {
                        return false
                    }
                    try await self.checkMaySend(key, for: id)
                    return true
                }
            } catch {
                // The first attempt was refused, and the second one was not made.
                if let refusedForTime {
                    return await settle(id, key, .refused(refusedForTime), .refused(refusedForTime))
                }
                throw error
            }
            switch attempt {
            case .withdrawn:
                guard let known = try state.journal(of: key)[id] else {
                    // It has left the journal between two attempts: the first one was refused.
                    if let refusedForTime { return .refused(refusedForTime) }
                    throw .unknownOrder
                }
                guard known.order == order else { throw .idTaken }
                return try await outcome(of: known, key, .notAnswered)
            case .failed(let failure):
                guard failure.mayHaveArrived else { return await settle(id, key, .notSent, .notSent(failure.reason)) }
                return await lookUp(id, key, .transport(failure.reason))
            case .answered(.success(let result)):
                guard let placed = dialect.placed(in: result, as: id, order) else {
                    return await lookUp(id, key, .answer)
                }
                return await settle(id, key, .placed(exchangeID: placed.exchangeID), .placed(placed, .answer))
            case .answered(.refused(let refusal)): return await settle(id, key, .refused(refusal), .refused(refusal))
            case .answered(.clock(let refusal)):
                // A machine that slept meanwhile would place an order that its user wanted hours ago.
                let now = clock.now()
                guard refusedForTime == nil, now >= begun, now.since(begun) <= window else {
                    return await settle(id, key, .refused(refusal), .refused(refusal))
                }
                refusedForTime = refusal
                forgetClock()
            case .answered(.wait(let record)): return await settle(id, key, .notSent, .mustWait(record.wait))
            case .answered(.unclearWait): return await lookUp(id, key, .exchange)
            case .answered(.unclear(let doubt)): return await lookUp(id, key, doubt)
            }
        }
    }

    /// Looks for an order whose outcome is unknown, and returns the outcome. It never sends the order.
    ///
    /// - Throws: ``ExchangeError/unknownOrder`` if the journal has no such order, and the errors of the journal and the
    ///   store.
    public func reconcile(_ id: ClientOrderID) async throws(ExchangeError) -> OrderOutcome {
        let key = try await credential().key
        guard let entry = try state.journal(of: key)[id] else { throw .unknownOrder }
        return try await outcome(of: entry, key, .notAnswered)
    }

    /// Returns the orders of the journal whose outcome is unknown, the oldest first. A program calls it when it starts,
    /// and reconciles them before it places another order.
    public func unsettledOrders() async throws(ExchangeError) -> [JournalEntry] {
        try await journal().filter(\.isOpen)
    }

    /// Returns the orders of the journal whose outcome no person has seen, the oldest first: the program that placed
    /// them ended before it could tell. The same request of a person again may be about one of them.
    public func unreportedOrders() async throws(ExchangeError) -> [JournalEntry] {
        try await journal().filter { !$0.isReported }
    }

    /// Settles the orders whose outcome no person has seen, and returns them, the oldest first.
    ///
    /// - Parameter order: the terms; nil for orders of all terms.
    /// - Throws: the errors of the journal and the store.
    public func settleUnreported(of order: Order? = nil) async throws(ExchangeError) -> [EarlierOrder] {
        let key = try await credential().key
        var orders: [EarlierOrder] = []
        for entry in try state.journal(of: key).entries
        where !entry.isReported && (order == nil || entry.order == order) {
            orders.append(EarlierOrder(entry: entry, outcome: try await outcome(of: entry, key, .notAnswered)))
        }
        return orders
    }

    /// Notes that a person has seen the outcome of an order.
    ///
    /// Nothing changes for an order that the journal does not have, nor for one whose process still runs and has not
    /// told the outcome: it notes that itself. If it is killed before, the same request again is about its order.
    ///
    /// - Throws: the errors of the journal and the store.
    public func noteReported(_ id: ClientOrderID) async throws(ExchangeError) {
        var hold = holds[id]
        if hold == nil { hold = try state.hold(id, at: venue) }
        guard let hold else { return }
        defer { withExtendedLifetime(hold) {} }
        let key = try await credential().key
        try await state.changeJournal(of: key, clock: clock) { journal throws(ExchangeError) in
            _ = journal.change(id) { $0.isReported = true }
        }
        holds[id] = nil
    }

    /// Returns the orders of the journal, the oldest first.
    public func journal() async throws(ExchangeError) -> [JournalEntry] {
        try state.journal(of: try await credential().key).entries
    }

    /// Accepts the key's journals as they are, those of all servers, although this machine has written newer ones, which
    /// are lost.
    ///
    /// - Warning: An order that only the lost journal had is sent again if its id is used again. Compare with the
    ///   exchange's page of orders before.
    public func acceptOlderJournal() async throws(ExchangeError) {
        let key = try await credential().key
        for state in try state.ofAllPlaces(venue, key.fingerprint) {
            try await state.acceptJournal(of: key, clock: clock)
        }
    }

    /// Notes that the exchange's stream of events has shown an order. The journal then has the outcome, also if the
    /// answer to the order never comes.
    ///
    /// - Throws: ``ExchangeError/unknownOrder`` if the journal has no such order, and the errors of the journal and the
    ///   store.
    public func observe(_ placed: PlacedOrder) async throws(ExchangeError) {
        let key = try await credential().key
        let known = try await state.changeJournal(of: key, clock: clock) { journal throws(ExchangeError) in
            journal.change(placed.id) { $0.state = .placed(exchangeID: placed.exchangeID) }
        }
        guard known != nil else { throw .unknownOrder }
    }

    // MARK: The journal

    /// Writes an order before it is sent. Returns whether it may be sent.
    private func journal(
        _ order: Order, _ id: ClientOrderID, _ key: APIKey, _ stamp: Stamp, _ isRepeated: Bool, _ isReported: Bool,
        _ given: Timestamp?
    ) async throws(ExchangeError) -> Bool {
        let deadline = dialect.deadline(of: stamp)
        return try await state.changeJournal(of: key, clock: clock) { [clock] journal throws(ExchangeError) in
            let entry = JournalEntry(
                id: id, order: order, created: clock.now(), deadline: deadline, state: .open, isReported: isReported)
            switch journal[id]?.state {
            case nil, .notSent:
                // A repetition of an order that has left the journal would not be recognised.
                guard !isRepeated else { return false }
                // Processes that were started together have all looked before the first of them wrote its order.
                if let given, let same = journal.same(as: entry, since: given) { throw .sameOrder(same.id) }
                try journal.add(entry)
                return true
            case .open where isRepeated:
                _ = journal.change(id) { $0.deadline = max($0.deadline, deadline) }
                return true
            // Another call or process has this id, or the stream has shown the order.
            case .open, .placed, .refused, .absent: return false
            }
        }
    }

    /// Checks that the key is still the label's and that no pause has begun, after the order was written and before it
    /// is sent. A rotation takes the journal over after it has replaced the key: so either the new journal gets the
    /// order, or it is not sent.
    private func checkMaySend(_ key: APIKey, for id: ClientOrderID) async throws(ExchangeError) {
        let failure: ExchangeError
        do throws(ExchangeError) {
            let isStored = try await credential().key == key
            // Writing can wait for another process, which was banned meanwhile.
            try await checkPause()
            if isStored { return }
            failure = .busy
        } catch { failure = error }
        _ = await settle(id, key, .notSent, .notSent(nil))
        throw failure
    }

    /// Notes an outcome, and returns it. What the journal knows already about a placed order is stronger.
    private func settle(
        _ id: ClientOrderID, _ key: APIKey, _ state: JournalEntry.State, _ outcome: OrderOutcome
    ) async -> OrderOutcome {
        do throws(ExchangeError) {
            let entry = try await self.state.changeJournal(of: key, clock: clock) { journal throws(ExchangeError) in
                journal.change(id) { entry in
                    switch (entry.state, state) {
                    case (.open, _), (.absent, .placed), (.placed, .placed): entry.state = state
                    default: break
                    }
                }
            }
            if case .placed = outcome { return outcome }
            if let placed = entry?.placed { return .placed(placed, .observation) }
        } catch {
            // The journal keeps the order as open, and a later reconciliation settles it. The outcome is known now.
        }
        return outcome
    }

    /// Returns the outcome of an order in the journal.
    private func outcome(
        of entry: JournalEntry, _ key: APIKey, _ doubt: Doubt
    ) async throws(ExchangeError) -> OrderOutcome {
        switch entry.state {
        case .placed:
            guard let placed = entry.placed else { throw .state(.damaged(.journal)) }
            return .placed(placed, .journal)
        case .refused(let refusal): return .refused(refusal)
        case .notSent: return .notSent(nil)
        // An absent order is looked for again: the exchange may have shown it late.
        case .open, .absent: return await lookUp(entry.id, key, doubt)
        }
    }

    // MARK: Reconciliation

    /// Looks for an order by its id.
    ///
    /// "No such order" is not a proof at first: the request may still be on its way, or in a queue, or accepted and not
    /// yet shown. The exchange promises not to act after the window, by its own clock. So the order is absent only if
    /// the exchange said that its clock was past the window and the time of settling, and did not find the order after
    /// that, twice.
    private func lookUp(_ id: ClientOrderID, _ key: APIKey, _ doubt: Doubt) async -> OrderOutcome {
        var absences = 0
        var failures = 0
        var pause = ExchangeLimits.queryPause
        for _ in 0..<ExchangeLimits.queries {
            // The journal says when the window ends, and whether the stream has shown the order.
            guard let entry = try? state.journal(of: key)[id], !Task.isCancelled else { return .unknown(doubt) }
            if let placed = entry.placed { return .placed(placed, .observation) }
            let server: ServerClock
            let found: Found
            do throws(ExchangeError) {
                // Before the query: the exchange's clock was past the window when it looked.
                server = try await measureClock()
                found = try await find(id, entry.order)
            } catch .mustWait {
                return .unknown(doubt)
            } catch .refused {
                // The exchange refuses the key. Another attempt could lock it.
                return .unknown(doubt)
            } catch {
                failures += 1
                if failures >= ExchangeLimits.failedQueries { return .unknown(doubt) }
                await clock.wait(ExchangeLimits.queryPause)
                continue
            }
            let end = entry.deadline.adding(ExchangeLimits.settling)
            switch found {
            case .order(let placed):
                return await settle(id, key, .placed(exchangeID: placed.exchangeID), .placed(placed, .query))
            case .refused(let refusal): return await settle(id, key, .refused(refusal), .refused(refusal))
            case .otherTerms: return .unknown(.otherTerms)
            case .unclear:
                failures += 1
                if failures >= ExchangeLimits.failedQueries { return .unknown(doubt) }
                await clock.wait(ExchangeLimits.queryPause)
            case .nothing where server.stamp > end:
                absences += 1
                if absences >= ExchangeLimits.absences { return await settle(id, key, .absent, .absent) }
                await clock.wait(ExchangeLimits.queryPause)
            case .nothing:
                let rest = end.since(server.stamp) + ExchangeLimits.queryPause
                await clock.wait(min(rest, pause))
                pause = min(pause + pause, ExchangeLimits.longestQueryPause)
            }
        }
        return .unknown(.tooEarly)
    }

    /// Asks for an order by its id.
    ///
    /// - Throws: also if the exchange asks for a pause, or refuses the key.
    func find(_ id: ClientOrderID, _ order: Order) async throws(ExchangeError) -> Found {
        for call in dialect.queries(for: id, order.symbol) {
            let answer = try await answer(to: call)
            if let record = answer.pause { throw .mustWait(record.wait) }
            if case .refused(let refusal) = answer, refusal.isOfKey { throw .refused(refusal) }
            let found = dialect.found(in: answer, id, order)
            guard found == .nothing else { return found }
        }
        return .nothing
    }
}
