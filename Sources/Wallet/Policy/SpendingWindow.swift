internal import Amounts

/// A limit over a time: what was signed within it, the rest of the limit, and the time when there is room for more.
struct SpendingWindow {
    /// The limit, in the smallest unit of the asset.
    let limit: UInt256
    /// How far back the window looks.
    let seconds: UInt64
    /// Seconds since 1970.
    let now: UInt64
    /// The signed effects within the time, in any order.
    let past: [SignedEffect]

    /// Returns whether an amount fits.
    func fits(_ amount: UInt256) -> Bool { Self.sum(past, and: amount).map { $0 <= limit } ?? false }

    /// The amount that may still be signed now; zero if the limit is reached.
    var left: UInt256 {
        guard let used = Self.sum(past, and: .zero) else { return .zero }
        return (try? limit.subtracting(used)) ?? .zero
    }

    /// Returns how many seconds pass until enough has left the window; nil if the amount alone is more than the limit.
    func wait(for amount: UInt256) -> UInt64? {
        guard amount <= limit else { return nil }
        var rest = past.sorted { $0.time < $1.time }[...]
        var end = now
        while let oldest = rest.first, !(Self.sum(rest, and: amount).map { $0 <= limit } ?? false) {
            rest.removeFirst()
            // The second at the edge still counts.
            let leaves = oldest.time.addingReportingOverflow(seconds + 1)
            end = max(end, leaves.overflow ? .max : leaves.partialValue)
        }
        return end - now
    }

    /// Why an amount does not fit, as the end of a sentence; nil if it does.
    ///
    /// - Parameter asset: gives amounts their unit.
    func excess(of amount: UInt256, in asset: PolicyAsset) -> String? {
        guard !fits(amount) else { return nil }
        let bound = "\(asset.text(limit)) in \(DurationText.words(seconds))"
        guard let wait = wait(for: amount) else { return "more than \(bound)" }
        return "and \(left.isZero ? "nothing" : asset.text(left)) is left of \(bound): there is room for it in "
            + DurationText.rough(wait)
    }

    /// Nil if it is beyond all numbers.
    private static func sum(_ past: some Sequence<SignedEffect>, and amount: UInt256) -> UInt256? {
        var sum = amount
        for effect in past {
            guard let next = try? sum.adding(effect.amount) else { return nil }
            sum = next
        }
        return sum
    }
}
