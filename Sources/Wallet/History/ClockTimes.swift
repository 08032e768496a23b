package import Encoding

/// The times at which a clock that may be wrong recorded something.
///
/// A clock that was ahead must not delay things until that time comes, and a clock that is turned back must not release
/// anything. The two cases cannot be distinguished. So nothing is forgotten: later readings are kept beside the first
/// one, and the latest reading that is not in the future counts.
package struct ClockTimes: Equatable, Sendable {
    /// The clock's first reading.
    package let first: UInt64
    /// The later readings, each smaller than all before it.
    package private(set) var corrections: [UInt64]

    package init(first: UInt64, _ corrections: [UInt64] = []) {
        self.first = first
        self.corrections = corrections
    }

    /// The clock's last reading.
    package var last: UInt64 { corrections.last ?? first }

    /// Returns the time from which this counts, by a clock that says `now`: from now, if all readings are in the
    /// future.
    package func counts(at now: UInt64) -> UInt64 { ([first] + corrections).first { $0 <= now } ?? now }

    /// Records the clock's reading, if all recorded readings are well in the future.
    ///
    /// - Returns: whether anything was added.
    package mutating func correct(to now: UInt64) -> Bool {
        let (bound, overflow) = now.addingReportingOverflow(WalletLimits.clockDeviation)
        guard !overflow, last > bound, corrections.count < WalletLimits.clockCorrections else {
            return false
        }
        corrections.append(now)
        return true
    }

    // MARK: - Format

    /// One number, or a list of all of them.
    package var rlp: RLP { corrections.isEmpty ? RLP(first) : .list(([first] + corrections).map { RLP($0) }) }

    /// - Throws: an error for anything that ``rlp`` does not produce.
    package init(_ rlp: RLP) throws {
        guard let list = rlp.list else {
            self.init(first: try rlp.integer())
            return
        }
        let times = try list.map { try $0.integer() }
        guard let first = times.first, (2...WalletLimits.clockCorrections + 1).contains(times.count),
            zip(times, times.dropFirst()).allSatisfy(>)
        else { throw EncodingError.unsupported }
        self.init(first: first, Array(times.dropFirst()))
    }
}
