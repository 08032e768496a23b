/// The places of a text that are secret. They may overlap.
struct Findings {
    struct Finding {
        /// Offsets in bytes.
        var range: Range<Int>
        let kind: RedactedKind
        /// A quote of the text, with the backslashes before it, that goes around the marker: a number in JSON has none.
        var quote: Range<Int>?
    }

    private(set) var all: [Finding] = []

    mutating func add(_ range: Range<Int>, _ kind: RedactedKind, in quote: Range<Int>? = nil) {
        guard !range.isEmpty else { return }
        // A scan for live secrets finds a long one window by window.
        if quote == nil, let last = all.last, last.kind == kind, last.quote == nil,
            last.range.overlaps(range) || last.range.upperBound == range.lowerBound
        {
            let union = min(last.range.lowerBound, range.lowerBound)..<max(last.range.upperBound, range.upperBound)
            all[all.count - 1].range = union
        } else {
            all.append(Finding(range: range, kind: kind, quote: quote))
        }
    }

    /// The findings in order, without overlaps. Of two that overlap the first one's kind is shown.
    func merged() -> [Finding] {
        var merged: [Finding] = []
        for next in all.sorted(by: {
            ($0.range.lowerBound, $1.range.upperBound) < ($1.range.lowerBound, $0.range.upperBound)
        }) {
            guard let last = merged.last, next.range.lowerBound < last.range.upperBound else {
                merged.append(next)
                continue
            }
            let end = max(last.range.upperBound, next.range.upperBound)
            merged[merged.count - 1].range = last.range.lowerBound..<end
            // Quotes go around a number only.
            if end != last.range.upperBound {
                merged[merged.count - 1].quote = next.range == last.range.lowerBound..<end ? next.quote : nil
            }
        }
        return merged
    }
}
