internal import Encoding

/// When something was written down, by a clock that may have been wrong.
///
/// A clock that was ahead must not hold things up until that time comes, and one that is turned back must free nothing. Nobody can
/// tell one from the other. So nothing is forgotten: what the clock says later is kept beside what it said first, and the latest of
/// them counts that is not in the future.
struct ClockTimes: Equatable {
    /// What the clock said first.
    let first: UInt64
    /// Each smaller than all before it.
    private(set) var corrections: [UInt64]

    init(first: UInt64, _ corrections: [UInt64] = []) {
        self.first = first
        self.corrections = corrections
    }

    /// What the clock said last.
    var last: UInt64 { corrections.last ?? first }

    /// From when it counts, by a clock that says `now`: from now, as long as all of it is in the future.
    func counts(at now: UInt64) -> UInt64 { ([first] + corrections).first { $0 <= now } ?? now }

    /// Keeps what the clock says, if all that is there is well in the future.
    ///
    /// - Returns: whether anything has changed.
    mutating func correct(to now: UInt64) -> Bool {
        let (bound, overflow) = now.addingReportingOverflow(Limits.clockDeviation)
        guard !overflow, last > bound, corrections.count < Limits.clockCorrections else {
            return false
        }
        corrections.append(now)
        return true
    }

    // MARK: - Format

    /// The number alone, or a list of all of them.
    var rlp: RLP { corrections.isEmpty ? RLP(first) : .list(([first] + corrections).map { RLP($0) }) }

    /// - Throws: an error for what ``rlp`` does not give.
    init(_ rlp: RLP) throws {
        guard let list = rlp.list else {
            self.init(first: try rlp.integer())
            return
        }
        let times = try list.map { try $0.integer() }
        guard let first = times.first, (2...Limits.clockCorrections + 1).contains(times.count),
            zip(times, times.dropFirst()).allSatisfy(>)
        else { throw EncodingError.unsupported }
        self.init(first: first, Array(times.dropFirst()))
    }
}
