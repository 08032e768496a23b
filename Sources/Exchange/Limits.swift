public import Time

/// The limits of this module, each with its reason.
public enum ExchangeLimits {
    /// Characters of the address of an exchange's server.
    public static let endpointCharacters = 512
    /// Characters of a trading symbol: Binance's own limit is 20, Kraken's longest names have 15.
    public static let symbolCharacters = 24
    /// Decimal places of an amount or a price. Binance publishes 8, Kraken 10, and a few tokens are quoted with more.
    public static let decimalPlaces = 18
    /// The highest amount or price. The supply of the largest token in trade is below it.
    public static let highestQuantity = "1000000000000000"
    /// Characters of an amount before it is read: the highest one with all its places, and zeros before it.
    public static let quantityCharacters = 40
    /// Characters of an exchange's order id, or of a word in its answers.
    public static let nameCharacters = 64
    /// Assets of a balance: Binance lists about 600 assets, Kraken about 500.
    public static let assets = 5_000
    /// Orders in an answer. Kraken returns closed ones in pages of 50; Binance allows 200 open ones a market.
    public static let ordersInAnswer = 1_000
    /// The shortest prefix of a range of IPv4 addresses that restricts a key: the largest providers have a /8.
    static let widestIPv4 = 8
    /// The shortest prefix of a range of IPv6 addresses that restricts a key: registries give providers /32.
    static let widestIPv6 = 16

    /// Bytes of an answer. The balances of all assets of Binance have about 100 KiB.
    public static let answerBytes = 1 << 20
    /// Levels of an answer: the deepest one in use has five.
    public static let answerDepth = 12

    /// The time within which an exchange may begin to act on a request; Binance's default. After it,
    /// the exchange refuses the request.
    public static let window = Timestamp.Span.seconds(5)
    /// The allowed windows. Both exchanges' maximum is 60 seconds; Kraken's rounding takes two of them. Kraken's
    /// minimum is two seconds, in which a slow connection could not deliver an order.
    public static let windows = Timestamp.Span.seconds(4)...Timestamp.Span.seconds(58)
    /// The time that Kraken's clock and its deadlines, in whole seconds, can take from a window.
    static let krakenRounding = Timestamp.Span.seconds(2)
    /// The time after the window in which an accepted order may still be missing from the exchange's
    /// answers. Users of Binance report more than two seconds (ccxt issue 1786).
    public static let settling = Timestamp.Span.seconds(10)
    /// The number of queries after that time that have to find nothing before an order counts as absent. One answer may
    /// come from a replica that is behind.
    public static let absences = 2
    /// The pause between two queries for an order.
    public static let queryPause = Timestamp.Span.seconds(1)
    /// The longest pause between two queries for an order. An order that is there is found within it.
    public static let longestQueryPause = Timestamp.Span.seconds(8)
    /// The number of queries without a clear answer after which a reconciliation ends. A query is harmless, and one
    /// lost connection is common.
    public static let failedQueries = 3
    /// The number of queries for the state of an order after it was cancelled.
    public static let cancelQueries = 5
    /// The number of queries for an order in one reconciliation. The longest window takes nine of the longest pauses.
    public static let queries = 24

    /// The age at which the difference of the clocks is measured again. A quartz clock is wrong by at
    /// most 60 ms after it.
    public static let clockAge = Timestamp.Span.minutes(10)
    /// The longest wait that a server can impose: Binance bans for at most three days.
    public static let longestWait = Timestamp.Span.days(3)
    /// The number of times that a pause begins again because this machine's clock went back. A clock is set back once
    /// after a wrong start; more often it is faulty.
    public static let waitRestarts: UInt8 = 3
    /// The wait after an answer 429 without a time: Binance counts per minute.
    public static let rateLimitWait = Timestamp.Span.minutes(1)
    /// The wait after an answer 418 without a time: Binance's shortest ban.
    public static let banWait = Timestamp.Span.minutes(2)
    /// The wait after an answer of a firewall: Binance counts these per five minutes.
    public static let firewallWait = Timestamp.Span.minutes(5)
    /// The wait after Kraken's rate limit: the counter of the smallest account is empty after 45 seconds.
    public static let krakenRateLimitWait = Timestamp.Span.seconds(45)
    /// The wait after Kraken's temporary lockout: 15 minutes; each attempt within it starts it again.
    public static let lockoutWait = Timestamp.Span.minutes(15)
    /// The weight of requests per minute that this client does not exceed: 95 % of Binance's 6,000 for one IP address,
    /// which other programs may share.
    public static let weightPerMinute = 5_700

    /// Orders in a journal: one file, which is rewritten at every order. The oldest settled orders leave it.
    public static let journalOrders = 256
    /// Bytes of a journal: the orders at their largest.
    public static let journalBytes = 1 << 18
    /// Files in a folder of this module: some for each key that was ever stored, and for each test server.
    static let stateFiles = 100_000
    /// Bytes of each other file of this module.
    public static let stateBytes = 1_024
    /// The time from the call to the stamp of an order: a lock's 60 seconds, and a request's.
    public static let preparation = Timestamp.Span.minutes(2)
    /// The pause between two attempts to get a lock.
    public static let lockPause = Timestamp.Span(milliseconds: 20)
    /// The number of attempts: 60 seconds, longer than one request takes.
    public static let lockAttempts = 3_000
    /// The highest nonce that is taken from a clock: the microseconds of the year 2100. A wrong clock would use up the
    /// numbers of a key.
    public static let highestClockNonce: UInt64 = 4_102_444_800_000_000
    /// The time before a key's end at which the probe warns: 14 days.
    public static let expiryNotice = Timestamp.Span.days(14)
}

// MARK: Streams

extension ExchangeLimits {
    /// Markets of a stream. Kraken confirms each of them twice, and Binance allows 1,024 subscriptions of a connection.
    public static let streamSymbols = 64
    /// Bytes of a message of a stream. The largest is Kraken's list of open orders: at most 225 with about 600 bytes.
    public static let streamMessageBytes = 1 << 18
    /// Levels of a message of a stream: the deepest one in use has six.
    public static let streamMessageDepth = 10
    /// Prices, trades or reports in a message of a stream: twice the open orders that Kraken allows.
    public static let streamEntries = 512
    /// Characters of Kraken's token of a stream: it has 43.
    public static let streamTokenCharacters = 256
    /// Events that wait for the reader, besides the newest prices. A busy account has some reports in a second.
    public static let streamBacklog = 512
    /// Orders whose constant members a stream remembers, since Kraken tells them once.
    public static let streamOrders = 1_024
    /// The time without a message after which a connection to Kraken is made again: Kraken sends a
    /// heartbeat every second.
    public static let streamSilence = Timestamp.Span.seconds(20)
    /// The time for the subscription of a connection: two requests and its confirmation.
    public static let streamSubscription = Timestamp.Span.seconds(30)
    /// The longest pause that a stream waits for. A longer one ends it with an error.
    public static let streamWait = Timestamp.Span.minutes(1)
    /// The pause before another attempt to replace a connection whose subscription the exchange ended.
    public static let streamReplacementPause = Timestamp.Span.seconds(10)
    /// Placed orders of the journal that are looked up after a gap, the newest ones. Kraken answers for all of them at
    /// once; Binance has a query for each.
    public static let streamLookups = 32
}
