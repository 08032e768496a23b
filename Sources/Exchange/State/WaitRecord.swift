internal import Encoding
internal import ExchangeCredentials
internal import Time

/// The pause that an exchange asked for, for all keys and processes of this user.
struct WaitRecord: Equatable, Sendable {
    let wait: Wait
    /// The time at which it began, by this machine's clock.
    let begun: Timestamp
    /// The number of times that it began again because this machine's clock went back.
    let restarts: UInt8

    /// Creates a record of a pause. A longer one than an exchange imposes is cut.
    init(_ reason: Wait.Reason, for length: Timestamp.Span, from now: Timestamp, restarts: UInt8 = 0) {
        begun = now
        wait = Wait(reason: reason, until: now.adding(min(length, ExchangeLimits.longestWait)))
        self.restarts = restarts
    }

    /// The length of the pause.
    var length: Timestamp.Span { wait.until.since(begun) }

    /// Whether the pause stops cancellings, too.
    var stopsCancellings: Bool { wait.reason != .callCounter }

    /// Returns the pause that obeys another one, too: until the later end, with the reason of the one that stops
    /// cancellings.
    func joined(with other: WaitRecord) -> WaitRecord {
        let end = max(wait.until, other.wait.until)
        return WaitRecord((stopsCancellings ? self : other).wait.reason, for: end.since(begun), from: begun)
    }

    /// Returns the pause as it has to be obeyed now; nil if it is over.
    ///
    /// If this machine's clock went back since it began, the whole pause begins again: a clock that was set back must
    /// not end a ban. It does so at most ``ExchangeLimits/waitRestarts`` times, so that a clock that goes back again and
    /// again does not make it endless. The exchange then repeats its demand, at the cost of one request.
    func current(at now: Timestamp) -> WaitRecord? {
        if now >= begun { return now < wait.until ? self : nil }
        guard restarts < ExchangeLimits.waitRestarts else { return nil }
        return WaitRecord(wait.reason, for: length, from: now, restarts: restarts + 1)
    }

    /// The file: the reason, two times (8 bytes each), and the number of restarts, in an envelope.
    var encoded: [UInt8] {
        var writer = ByteWriter()
        writer.append(wait.reason.rawValue)
        writer.timestamp(begun)
        writer.timestamp(wait.until)
        writer.append(restarts)
        return StateEnvelope.encode(writer.bytes, of: .wait)
    }

    /// Decodes a file.
    init(decoding bytes: [UInt8]) throws(EncodingError) {
        let content = try StateEnvelope.decode(bytes, of: .wait)
        var reader = try ByteReader(content, limit: 18)
        guard let reason = Wait.Reason(rawValue: try reader.uint8()) else { throw .unsupported }
        let begun = try reader.timestamp()
        let until = try reader.timestamp()
        let restarts = try reader.uint8()
        try reader.finish()
        guard until >= begun, until.since(begun) <= ExchangeLimits.longestWait,
            restarts <= ExchangeLimits.waitRestarts
        else { throw .unsupported }
        self.init(reason, for: until.since(begun), from: begun, restarts: restarts)
    }
}

/// A pause as one process measures it: its end does not move with the time of day.
struct MeasuredWait: Equatable, Sendable {
    private let reason: Wait.Reason
    /// The end, by ``ExchangeClock/uptime``.
    let end: Timestamp.Span

    /// Begins to measure a pause.
    init(_ wait: Wait, _ clock: ExchangeClock) {
        reason = wait.reason
        end = clock.uptime() + wait.until.since(clock.now())
    }

    /// Returns the rest of the pause; nil if it is over.
    func remaining(_ clock: ExchangeClock) -> Wait? {
        let uptime = clock.uptime()
        return uptime < end ? Wait(reason: reason, until: clock.now().adding(end - uptime)) : nil
    }
}
