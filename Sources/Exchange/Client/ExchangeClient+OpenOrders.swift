internal import ExchangeCredentials
internal import PinnedHTTP

// MARK: Open orders

extension ExchangeClient {
    /// Returns the open orders of the account, also those that another program or a person placed.
    ///
    /// - Parameter symbol: the market; nil for all. Kraken is asked for all in either case.
    /// - Throws: ``ExchangeError``.
    public func openOrders(of symbol: TradingSymbol? = nil) async throws(ExchangeError) -> OpenOrders {
        if let symbol, symbol.venue != venue { throw .invalid(.symbol, .otherVenue(symbol.venue)) }
        let result = try await result(of: .openOrders(symbol))
        guard let open = dialect.openOrders(in: result) else { throw .unclear(.answer) }
        return open
    }

    /// Looks for the orders of the journal whose outcome is unknown and that a list does not have, and lists the open
    /// orders again. A program calls it before it says that nothing else is open: such an order can open after a list.
    ///
    /// - Parameter open: the list. It is returned unchanged if it has all orders of the journal, or if the exchange does not
    ///   answer.
    /// - Returns: the open orders, and the orders of the journal that may still open.
    /// - Throws: the errors of the journal and the store.
    public func openOrders(
        settling open: OpenOrders
    ) async throws(ExchangeError) -> (open: OpenOrders, unknown: [JournalEntry]) {
        // One list has all open orders: a query for each of them could use up Kraken's counter.
        let sought = try await unsettledOrders().filter { !open.contains($0) }
        guard !sought.isEmpty else { return (open, []) }
        var unknown: [JournalEntry] = []
        for entry in sought {
            if let outcome = try? await reconcile(entry.id) {
                guard case .unknown = outcome else { continue }
            }
            unknown.append(entry)
        }
        guard let again = try? await openOrders() else { return (open, sought) }
        return (again, unknown.filter { !again.contains($0) })
    }

    /// Cancels open orders, and asks what became of them: a part may have been filled before.
    ///
    /// All requests that cancel come first, so that no question delays the next one. They end when the exchange asks for
    /// a pause or refuses the key: ``Cancellation/failure``. A second call changes nothing more.
    ///
    /// - Throws: ``ExchangeError/invalid(_:_:)`` if an order is of another exchange; nothing was sent.
    public func cancel(_ orders: [ListedOrder]) async throws(ExchangeError) -> Cancellation {
        for order in orders where order.symbol.venue != venue {
            throw .invalid(.symbol, .otherVenue(order.symbol.venue))
        }
        var answers: [Answer] = []
        var failure: ExchangeError?
        for order in orders {
            guard !Task.isCancelled else { break }
            do throws(ExchangeError) {
                let answer = try await answer(to: .cancel(order))
                switch answer {
                // The exchange did not act.
                case .wait(let record): throw .mustWait(record.wait)
                case .refused(let refusal) where refusal.isOfKey: throw .refused(refusal)
                case .unclearWait(let record): failure = .mustWait(record.wait)
                case .success, .refused, .clock, .unclear: break
                }
                answers.append(answer)
            } catch .transport(let fault) where fault.mayHaveArrived {
                answers.append(.unclear(.transport(fault.reason)))
            } catch { failure = error }
            if failure != nil { break }
        }
        var states: [ListedOrder: ListedOrder.State] = [:]
        // A refused key is not tried again.
        if case .refused? = failure {} else { states = await self.states(of: Array(zip(orders, answers))) }
        let results = orders.enumerated().map { index, order in
            let outcome = index < answers.count ? outcome(of: answers[index], states[order]) : .notTried
            return CancelledOrder(order: order, outcome: outcome)
        }
        return Cancellation(results: results, failure: failure)
    }

    /// Asks for the states of orders until they are closed, at most ``ExchangeLimits/cancelQueries`` times.
    private func states(of orders: [(ListedOrder, Answer)]) async -> [ListedOrder: ListedOrder.State] {
        var states: [ListedOrder: ListedOrder.State] = [:]
        for attempt in 0..<ExchangeLimits.cancelQueries {
            let rest = orders.filter { order, answer in
                guard let state = states[order] else { return true }
                if case .refused = answer { return false }
                return !state.isClosed
            }.map(\.0)
            if rest.isEmpty { break }
            if attempt > 0 { await clock.wait(ExchangeLimits.queryPause) }
            for asked in dialect.queries(for: rest) {
                guard !Task.isCancelled else { return states }
                do throws(ExchangeError) {
                    let result = try await result(of: .look(asked.map(OrderName.init)))
                    for order in asked { states[order] = dialect.state(of: order, in: result) ?? states[order] }
                } catch .mustWait { return states } catch .refused(let refusal) where refusal.isOfKey {
                    return states
                } catch { continue }
            }
        }
        return states
    }

    private func outcome(of answer: Answer, _ state: ListedOrder.State?) -> CancelOutcome {
        if let state, state.isClosed { return .closed(state) }
        let untold: CancelOutcome
        switch answer {
        case .refused(let refusal), .clock(let refusal): return .refused(refusal)
        case .success: untold = .accepted
        case .unclear(let doubt): untold = .unknown(doubt)
        case .wait, .unclearWait: untold = .unknown(.exchange)
        }
        return state.map { .pending($0) } ?? untold
    }
}
