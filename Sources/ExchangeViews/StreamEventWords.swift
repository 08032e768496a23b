internal import ErrorTexts
internal import Exchange
internal import Texts
internal import Time

extension StreamEvent {
    /// The word for scripts.
    var word: String {
        switch self {
        case .subscribed: "subscribed"
        case .quote: "quote"
        case .trade: "trade"
        case .order: "order"
        case .interrupted: "interrupted"
        case .waiting: "waiting"
        case .gap: "gap"
        case .lookedUp: "looked_up"
        case .lookupFailed: "lookup_failed"
        case .unreadable: "unreadable"
        }
    }

    /// The sentence for a person.
    func words(_ zone: LocalTime) -> String {
        switch self {
        case .subscribed(let feed): "\(feed.words): connected"
        case .quote(let quote):
            "\(quote.symbol)  bid \(quote.bid) (\(quote.bidAmount))  ask \(quote.ask) (\(quote.askAmount))"
        case .trade(let trade):
            "\(trade.symbol)  \(trade.side == .buy ? "bought" : "sold") \(trade.amount) at \(trade.price)"
        case .order(let report, let note): "\(report.words)\(note.words)"
        case .interrupted(let feed, let reason, _): "\(feed.words): interrupted, because \(reason.words)"
        case .waiting(let feed, let error, let pause):
            "\(feed.words): not connected: \(error.failure.message); another attempt in \((pause.milliseconds + 999) / 1_000) s"
        case .gap(let gap): gap.words(zone)
        case .lookedUp(let entry, let outcome):
            "order \(entry.id): \(outcome.stateWords); \(entry.order.words)"
        case .lookupFailed(let error):
            "the orders could not be looked up: \(error.failure.message); compare with the exchange's page of orders"
        case .unreadable(let feed, let count):
            "\(feed.words): \(count) \(count == 1 ? "message does" : "messages do") not have the documented form"
        }
    }
}

extension StreamFeed {
    /// The feed's name, as the subject of a clause.
    fileprivate var words: String {
        switch self {
        case .market: "prices"
        case .orders: "orders"
        }
    }
}

extension StreamGap {
    fileprivate func words(_ zone: LocalTime) -> String {
        let (from, to) = (zone.clockText(from), zone.clockText(to))
        return "\(feed.words): GAP: the stream was interrupted from \(from) to \(to), because \(reason.words); "
            + "events in between may be missing" + (feed == .orders ? "; the orders are looked up again" : "")
    }
}

extension StreamGap.Reason {
    fileprivate var words: String {
        switch self {
        case .ended: "the exchange ended it"
        case .broken: "the connection broke"
        case .silent: "the exchange was silent"
        case .pins: "the pins of the connection changed or expired"
        case .numbers: "the exchange's numbers show that a message is missing"
        case .reader: "the output was not read in time"
        }
    }
}

extension OrderReport {
    fileprivate var words: String {
        var words = "order \(clientID?.description ?? exchangeID): \(status.words)"
        if let side, let amount {
            words += "; \(side.word) \(amount)\(symbol.map { " of \($0)" } ?? "")\(price.map { " at \($0)" } ?? "")"
        }
        if let tradeAmount, let tradePrice { words += "; \(tradeAmount) traded at \(tradePrice)" }
        if let filled, !filled.isZero { words += "; filled \(filled)" }
        return words
    }
}

extension OrderReport.Status {
    fileprivate var words: String {
        switch self {
        case .open: "open"
        case .partlyFilled: "filled in part"
        case .filled: "filled"
        case .cancelled: "cancelled"
        case .expired: "expired"
        case .rejected: "refused by the exchange"
        case .other: "changed"
        }
    }
}

extension OrderNote {
    /// The word for scripts.
    var word: String {
        switch self {
        case .noted: "noted"
        case .foreign: "foreign"
        case .otherTerms: "other_terms"
        case .notPlaced: "not_placed"
        case .failed: "failed"
        }
    }

    fileprivate var words: String {
        switch self {
        case .noted, .notPlaced: ""
        case .foreign: " (not in this machine's journal)"
        case .otherTerms: " (WARNING: the journal has an order of this id with other terms)"
        case .failed(let error): " (not noted in the journal: \(error.failure.message))"
        }
    }
}

extension OrderOutcome {
    /// The state of an order that was looked up, for scripts.
    var stateWord: String {
        switch self {
        case .placed(let placed, _): placed.status.word
        case .mustWait: "must_wait"
        case .refused, .notSent, .absent, .unknown: word
        }
    }

    fileprivate var stateWords: String {
        switch self {
        case .placed(let placed, _):
            placed.status.word + (placed.filled.map { ", filled \($0)" } ?? "")
        case .refused: "refused by the exchange"
        case .mustWait: "not placed: the exchange asked for a pause"
        case .notSent: "not sent"
        case .absent: "the exchange does not have it"
        case .unknown: "its state is unknown: look at the exchange's page of orders"
        }
    }
}
