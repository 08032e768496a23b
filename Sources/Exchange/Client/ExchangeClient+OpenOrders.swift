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

    /// Cancels an open order, and asks what became of it: a part may have been filled before.
    ///
    /// A second call for the same order changes nothing more.
    ///
    /// - Throws: ``ExchangeError``: nothing was sent, or the exchange refused the key.
    public func cancel(_ order: ListedOrder) async throws(ExchangeError) -> CancelOutcome {
        guard order.symbol.venue == venue else { throw .invalid(.symbol, .otherVenue(order.symbol.venue)) }
        var refusal: Refusal?
        var doubt = Doubt.notAnswered
        do throws(ExchangeError) {
            switch try await answer(to: .cancel(order)) {
            case .success: break
            case .refused(let told), .clock(let told):
                guard !told.isOfKey else { throw .refused(told) }
                refusal = told
            // The pause keeps this client from asking for the state.
            case .wait(let record): throw .mustWait(record.wait)
            case .unclearWait: return .unknown(.exchange)
            case .unclear(let told): doubt = told
            }
        } catch .transport(let failure) where failure.mayHaveArrived { doubt = .transport(failure.reason) }
        return await outcome(of: order, refusal, doubt)
    }

    /// Asks for the state of an order until it is closed, at most ``ExchangeLimits/cancelQueries`` times.
    private func outcome(of order: ListedOrder, _ refusal: Refusal?, _ doubt: Doubt) async -> CancelOutcome {
        var last: ListedOrder.State?
        for attempt in 0..<ExchangeLimits.cancelQueries {
            if attempt > 0 { await clock.wait(ExchangeLimits.queryPause) }
            guard !Task.isCancelled else { break }
            do throws(ExchangeError) {
                guard case .success(let result) = try await answer(to: .look(order)),
                    let state = dialect.state(of: order, in: result)
                else { continue }
                if state.isClosed { return .closed(state) }
                last = state
                if let refusal { return .refused(refusal) }
            } catch .mustWait { break } catch { continue }
        }
        if let last { return .pending(last) }
        return refusal.map { .refused($0) } ?? .unknown(doubt)
    }
}
