/// Removes secrets from a stream that is longer than memory, as from one text: what was written before stays known, so
/// that a secret is found wherever a part ends.
public struct RedactedStream {
    private let redactor: Redactor
    /// What is not written yet, behind the end of what was written.
    private var held: [UInt8] = []
    /// The size of what was written, at the beginning of `held`: the name of a value may stand there.
    private var context = 0
    /// Whether the rest of a secret that is too long to be held is left out.
    private var isInside = false

    /// Begins a stream.
    ///
    /// - Parameter redactor: finds the secrets.
    public init(_ redactor: Redactor = Redactor()) { self.redactor = redactor }

    /// The number of places that were redacted.
    public private(set) var count = 0

    /// Takes bytes of any number.
    ///
    /// - Returns: bytes that can be written now.
    public mutating func push(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        held += bytes
        guard held.count - context >= RedactionLimits.streamBlock + RedactionLimits.streamOverlap else { return [] }
        return write(upTo: held.count - RedactionLimits.streamOverlap, isLast: false)
    }

    /// Ends the stream.
    ///
    /// - Returns: the rest.
    public mutating func finish() -> [UInt8] { write(upTo: held.count, isLast: true) }

    private mutating func write(upTo limit: Int, isLast: Bool) -> [UInt8] {
        skipInside()
        guard held.count > context else { return [] }
        let findings = redactor.find(in: held)
        var end = min(held.count, max(context, limit))
        if !isLast, let line = held[context..<end].lastIndex(of: 0x0A) { end = line + 1 }
        // What is found across the end is written whole.
        while let finding = findings.first(where: { $0.range.lowerBound < end && end < $0.range.upperBound }) {
            end = finding.range.upperBound
        }
        // What may go on in the next part waits for it.
        if !isLast, let open = findings.last, open.range.upperBound == held.count, end == held.count {
            if held.count - open.range.lowerBound < RedactionLimits.textSize {
                end = max(context, open.range.lowerBound)
            } else {
                isInside = true
            }
        }
        let written = findings.compactMap { finding -> Findings.Finding? in
            guard finding.range.upperBound > context, finding.range.upperBound <= end else { return nil }
            var finding = finding
            finding.range = max(context, finding.range.lowerBound)..<finding.range.upperBound
            return finding
        }
        count += written.count
        let result = redactor.written(held, written, in: context..<end)
        let dropped = max(0, end - RedactionLimits.streamContext)
        held.removeSubrange(..<dropped)
        context = end - dropped
        return result
    }

    /// Leaves out the rest of a secret that is too long, up to the end of its line.
    private mutating func skipInside() {
        guard isInside else { return }
        guard let line = held[context...].firstIndex(of: 0x0A) else {
            held.removeSubrange(context...)
            return
        }
        isInside = false
        held.removeSubrange(context..<line)
    }
}
