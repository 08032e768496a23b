package import Texts
internal import Time

/// The part of a history that a list shows: the newest entries.
package struct HistoryRange: Equatable, Sendable {
    /// The whole history.
    package static let whole = HistoryRange()

    /// The largest number of entries; nil for no limit.
    let limit: Int?
    /// The time of the oldest entry in seconds since 1970; nil for no bound.
    let since: UInt64?

    private init() { (limit, since) = (nil, nil) }

    /// Creates a range from the values of options.
    ///
    /// - Parameters:
    ///   - limit: the largest number of entries, at least 1; nil for no limit.
    ///   - since: a day (`2026-11-01`, from its first minute) or a minute (`2026-11-01 10:14`) in the time zone of the
    ///     person, a time in UTC (`2026-11-01T09:14:00Z`), or a length of time before now (`90m`, `12h`, `7d`, `2w`);
    ///     nil for no bound.
    ///   - now: the present time in seconds since 1970.
    ///   - time: the time zone of the person.
    package init(
        limit: Int?, since: String?, now: UInt64, time: LocalTime
    ) throws(HistoryRangeFault) {
        guard limit ?? 1 > 0 else { throw .noEntries }
        self.limit = limit
        self.since = try since.map { text throws(HistoryRangeFault) in
            if let age = Self.age(text) { return now - min(age, now) }
            guard let start = CivilTime.seconds(text) ?? Self.local(text, time) else { throw .malformedStart }
            return start
        }
    }

    /// Returns the number of entries before the range.
    ///
    /// - Parameter times: the times of all entries, in ascending order.
    func start(in times: [UInt64]) -> Int {
        let old = since.map { since in times.firstIndex { $0 >= since } ?? times.count } ?? 0
        return max(old, times.count - min(limit ?? .max, times.count))
    }

    /// Reads `2026-11-01` or `2026-11-01 10:14`.
    private static func local(_ text: String, _ time: LocalTime) -> UInt64? {
        let hasTime = text.utf8.count == 16 && text.utf8.dropFirst(10).first == UInt8(ascii: " ")
        let whole = hasTime ? text.replacing(" ", with: "T") + ":00Z" : text + "T00:00:00Z"
        return CivilTime.seconds(whole).flatMap(time.seconds(ofUTC:))
    }

    /// Reads a length of time: `90m`, `12h`, `7d`, `2w`.
    private static func age(_ text: String) -> UInt64? {
        let units: [Character: UInt64] = ["m": 60, "h": 3_600, "d": 86_400, "w": 7 * 86_400]
        let digits = text.dropLast()
        guard let unit = text.last.flatMap({ units[$0] }), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let count = UInt64(digits), (1...100_000).contains(count)
        else { return nil }
        return count * unit
    }
}

/// The faults of a ``HistoryRange``.
package enum HistoryRangeFault: Error, Equatable {
    /// A limit below 1.
    case noEntries
    /// A start that is neither a date, nor a time, nor a length of time.
    case malformedStart
}
