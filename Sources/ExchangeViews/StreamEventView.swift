internal import ErrorTexts
package import Exchange
package import Texts
package import Time

/// A line about an event of a stream: text for a person, and one JSON object for a script.
package struct StreamEventView: Encodable {
    let event: String
    /// The time at which the line was made.
    let time: String
    var feed: String?
    var symbol: String?
    var bid: String?
    var bid_amount: String?
    var ask: String?
    var ask_amount: String?
    var price: String?
    var amount: String?
    var side: String?
    /// The exchange's id of an order.
    var order: String?
    /// The client's id of an order.
    var id: String?
    var status: String?
    var filled: String?
    var trade_price: String?
    var trade_amount: String?
    /// The time by the exchange's clock.
    var exchange_time: String?
    /// The relation to the journal of orders.
    var journal: String?
    var reason: String?
    var from: String?
    var to: String?
    /// Milliseconds.
    var pause: Int64?
    /// The word of a failure.
    var error: String?
    var message: String?
    var count: UInt64?

    /// The line for a person.
    package let text: String

    enum CodingKeys: String, CodingKey {
        case event, time, feed, symbol, bid, bid_amount, ask, ask_amount, price, amount, side, order, id, status, filled
        case trade_price, trade_amount, exchange_time, journal, reason, from, to, pause, error, message, count
    }

    /// Creates the line.
    ///
    /// - Parameters:
    ///   - now: the time at which it is shown.
    ///   - zone: the time zone of the person, for the text.
    package init(_ event: StreamEvent, now: Timestamp, zone: LocalTime) {
        time = now.rfc3339
        text = "\(zone.clockText(now))  \(event.words(zone))"
        self.event = event.word
        switch event {
        case .subscribed(let feed): self.feed = feed.rawValue
        case .quote(let quote):
            symbol = quote.symbol.text
            (bid, bid_amount) = (quote.bid.description, quote.bidAmount.description)
            (ask, ask_amount) = (quote.ask.description, quote.askAmount.description)
        case .trade(let trade):
            (symbol, side) = (trade.symbol.text, trade.side.word)
            (price, amount) = (trade.price.description, trade.amount.description)
            exchange_time = trade.time?.rfc3339
        case .order(let report, let note): describe(report, note)
        case .interrupted(let feed, let reason, let since):
            (self.feed, self.reason, from) = (feed.rawValue, reason.rawValue, since.rfc3339)
        case .waiting(let feed, let error, let pause):
            (self.feed, self.pause) = (feed.rawValue, pause.milliseconds)
            describe(error)
        case .gap(let gap):
            (feed, reason) = (gap.feed.rawValue, gap.reason.rawValue)
            (from, to) = (gap.from.rfc3339, gap.to.rfc3339)
        case .lookedUp(let entry, let outcome):
            (id, symbol) = (entry.id.description, entry.order.symbol.text)
            (side, amount) = (entry.order.side.word, entry.order.amount.description)
            price = entry.order.price?.description
            status = outcome.stateWord
            if case .placed(let placed, _) = outcome {
                (order, filled) = (placed.exchangeID, placed.filled?.description)
            }
        case .lookupFailed(let error): describe(error)
        case .unreadable(let feed, let count): (self.feed, self.count) = (feed.rawValue, count)
        }
    }

    private mutating func describe(_ report: OrderReport, _ note: OrderNote) {
        (order, id, symbol) = (report.exchangeID, report.clientID?.description, report.symbol?.text)
        (side, amount, price) = (report.side?.word, report.amount?.description, report.price?.description)
        (status, filled) = (report.status.rawValue, report.filled?.description)
        (trade_price, trade_amount) = (report.tradePrice?.description, report.tradeAmount?.description)
        exchange_time = report.time?.rfc3339
        journal = note.word
    }

    private mutating func describe(_ failure: ExchangeError) {
        (error, message) = (failure.failure.name, failure.failure.message)
    }
}
