internal import Encoding

/// The pause that an exchange asked for, for all keys and processes of this user.
struct WaitRecord: Equatable, Sendable {
    let wait: Wait
    /// The time at which it began, by this machine's clock.
    let begun: Moment

    /// Creates a record of a pause. A longer one than an exchange imposes is cut.
    init(_ reason: Wait.Reason, for milliseconds: UInt64, from now: Moment) {
        begun = now
        wait = Wait(reason: reason, until: now.adding(min(milliseconds, ExchangeLimits.longestWait)))
    }

    /// Returns the pause if it is not over.
    ///
    /// If this machine's clock went back since it began, the whole pause begins again: a clock that was set back must
    /// not end a ban, and must not make it endless.
    func remaining(at now: Moment) -> Wait? {
        guard now >= begun else { return WaitRecord(wait.reason, for: wait.until.since(begun), from: now).wait }
        return now < wait.until ? wait : nil
    }

    /// The file: the reason, and two times (8 bytes each), in an envelope.
    var encoded: [UInt8] {
        var writer = ByteWriter()
        writer.append(wait.reason.rawValue)
        writer.bigEndian(begun.milliseconds)
        writer.bigEndian(wait.until.milliseconds)
        return StateEnvelope.encode(writer.bytes, of: .wait)
    }

    /// Decodes a file.
    init(decoding bytes: [UInt8]) throws(EncodingError) {
        let content = try StateEnvelope.decode(bytes, of: .wait)
        var reader = try ByteReader(content, limit: 17)
        guard let reason = Wait.Reason(rawValue: try reader.uint8()) else { throw .unsupported }
        let begun = Moment(milliseconds: try reader.bigEndian(UInt64.self))
        let until = Moment(milliseconds: try reader.bigEndian(UInt64.self))
        try reader.finish()
        guard until >= begun, until.since(begun) <= ExchangeLimits.longestWait else { throw .unsupported }
        self.init(reason, for: until.since(begun), from: begun)
    }
}
