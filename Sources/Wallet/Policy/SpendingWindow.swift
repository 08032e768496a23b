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
            end = max(end, leaving(oldest.time))
        }
        return end - now
    }

    /// Returns the time from which an effect no longer counts. The second at the edge still counts.
    private func leaving(_ time: UInt64) -> UInt64 {
        let leaves = time.addingReportingOverflow(seconds + 1)
        return leaves.overflow ? .max : leaves.partialValue
    }

    /// The most payments that a reason names; the largest ones.
    private static let named = 3

    /// Returns the largest payments that use up the limit, each with its part and the time until which it counts: `0.2
    /// BTC of it is reserved by the cancelled payment 4ac1b2c3 until 2026-11-27 14:20 UTC`.
    private func uses(of asset: PolicyAsset) -> String {
        var payments: [SignedEffect.Source: (amount: UInt256, last: UInt64)] = [:]
        for effect in past {
            guard let source = effect.source, !effect.amount.isZero else { continue }
            let before = payments[source] ?? (.zero, 0)
            let amount = (try? before.amount.adding(effect.amount)) ?? .maximum
            payments[source] = (amount, max(before.last, effect.time))
        }
        let largest = payments.sorted { ($1.value.amount, $0.key.id) < ($0.value.amount, $1.key.id) }
        let texts = largest.prefix(Self.named).map { source, use in
            let payment = "the \(source.isCancelled ? "cancelled " : "")payment \(source.shortID)"
            let end = DurationText.minute(leaving(use.last)).map { " until \($0)" } ?? ""
            return "\(asset.text(use.amount)) is reserved by \(payment)\(end)"
        }
        let rest = largest.count - texts.count
        return texts.map { "; \($0)" }.joined() + (rest > 0 ? "; and \(rest) more" : "")
    }

    /// Why an amount does not fit, as the end of a sentence; nil if it does.
    ///
    /// - Parameter asset: gives amounts their unit.
    func excess(of amount: UInt256, in asset: PolicyAsset) -> String? {
        guard !fits(amount) else { return nil }
        let bound = "\(asset.text(limit)) in \(DurationText.words(seconds))"
        guard let wait = wait(for: amount) else { return "more than \(bound)" }
        return "and \(left.isZero ? "nothing" : asset.text(left)) is left of \(bound): there is room for it in "
            + DurationText.rough(wait) + uses(of: asset)
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

extension SignedEffect.Source {
    /// The beginning of the id, which suffices to find the payment in the history.
    fileprivate var shortID: String { String(id.prefix(id.hasPrefix("0x") ? 10 : 8)) }
}
