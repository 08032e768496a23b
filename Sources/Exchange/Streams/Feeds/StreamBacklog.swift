internal import Time

/// The events that wait for the reader of a stream: bounded, whatever the exchange sends.
///
/// Of the prices of a market and of the states of a connection the newest waits. Other events wait in their order. While
/// there are too many, further ones are dropped, and the reader gets a gap where the first of them was.
struct StreamBacklog: Sendable {
    /// The kinds of events whose newest one replaces the older ones.
    private enum Key: Hashable {
        case quote(TradingSymbol)
        case trade(TradingSymbol)
        case waiting(StreamFeed)
        case interrupted(StreamFeed)
        case subscribed(StreamFeed)
        case unreadable(StreamFeed)
    }

    private enum Slot {
        case kept(StreamEvent)
        case newest(Key)
        /// The events that were dropped since a time, at most once: ``dropping``.
        case gap
    }

    private var slots: [Slot] = []
    /// The position of the next slot.
    private var position = 0
    private var newest: [Key: StreamEvent] = [:]
    private var keptCount = 0
    /// The beginning of the time of the gap that waits. It ends when the reader takes it.
    private var dropping: Timestamp?

    /// The number of events that wait.
    var count: Int { slots.count - position }

    /// Adds an event.
    mutating func add(_ event: StreamEvent, now: Timestamp) {
        if let key = Self.key(of: event) {
            if newest.updateValue(event, forKey: key) == nil { slots.append(.newest(key)) }
            return
        }
        guard keptCount < ExchangeLimits.streamBacklog else {
            // A dropped gap is a part of the new one.
            var beginning = now
            if case .gap(let gap) = event { beginning = min(beginning, gap.from) }
            if dropping == nil { slots.append(.gap) }
            dropping = min(dropping ?? beginning, beginning)
            return
        }
        keptCount += 1
        slots.append(.kept(event))
    }

    /// Takes the next event; nil if none waits.
    mutating func take(now: Timestamp) -> StreamEvent? {
        guard position < slots.count else { return nil }
        let slot = slots[position]
        position += 1
        // Each slot moves at most once: the removed half is as large as the kept one.
        if position * 2 >= slots.count {
            slots.removeFirst(position)
            position = 0
        }
        switch slot {
        case .kept(let event):
            keptCount -= 1
            return event
        case .newest(let key): return newest.removeValue(forKey: key)
        case .gap:
            let from = dropping ?? now
            dropping = nil
            return .gap(StreamGap(feed: .orders, reason: .reader, from: from, to: max(from, now)))
        }
    }

    private static func key(of event: StreamEvent) -> Key? {
        switch event {
        case .quote(let quote): .quote(quote.symbol)
        case .trade(let trade): .trade(trade.symbol)
        case .waiting(let feed, _, _): .waiting(feed)
        case .interrupted(let feed, _, _): .interrupted(feed)
        case .subscribed(let feed): .subscribed(feed)
        case .unreadable(let feed, _): .unreadable(feed)
        case .order, .gap, .lookedUp, .lookupFailed: nil
        }
    }
}
