/// Removes secrets from texts before they are written: live ones that a program registered, and what is secret by its
/// look or by the name next to it.
///
/// The time grows with the text's size only. What was redacted stays as it is when it is redacted again.
public struct Redactor: Sendable {
    private let secrets: LiveSecrets

    /// Creates a redactor.
    ///
    /// - Parameter secrets: those that are known to the program.
    public init(_ secrets: LiveSecrets = LiveSecrets()) { self.secrets = secrets }

    /// Returns a text without its secrets: each is replaced by ``RedactedKind/marker``.
    ///
    /// - Parameter text: of which at most ``RedactionLimits/textSize`` bytes are read; the rest is left out.
    public func redacted(_ text: String) -> String {
        let bytes = Array(text.utf8)
        let read = Self.read(bytes)
        let findings = find(in: read)
        if findings.isEmpty, read.count == bytes.count { return text }
        var result = written(read, findings)
        if read.count < bytes.count { result += RedactedKind.unread.marker.utf8 }
        return String(decoding: result, as: UTF8.self)
    }

    /// Returns the part of a text that is read. It does not end within a word: the beginning of a secret may not look
    /// like one.
    private static func read(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.count > RedactionLimits.textSize else { return bytes }
        let limit = RedactionLimits.textSize
        let least = limit - RedactionLimits.streamOverlap
        let end = bytes[least..<limit].lastIndex(where: \.isSpace).map { $0 + 1 } ?? least
        return Array(bytes[..<end])
    }

    /// Finds the secrets of a text, in order and without overlaps.
    func find(in bytes: [UInt8]) -> [Findings.Finding] {
        var findings = Findings()
        let windows = secrets.windows()
        var views = [TextView(bytes)]
        var depth = 0
        while !views.isEmpty {
            var inner: [TextView] = []
            for view in views {
                if let windows {
                    for view in [view] + view.decodedForSecrets() {
                        windows.find(in: view.bytes) { findings.add(view.original($0), .secret) }
                    }
                }
                var scan = PatternScan(of: view.bytes)
                scan.run()
                for finding in scan.findings.all {
                    var range = view.original(finding.range)
                    if depth > 0, finding.kind != .mnemonic { range = Self.inString(range, of: bytes) }
                    findings.add(range, finding.kind, in: finding.quote.map { view.original($0) })
                }
                guard depth < RedactionLimits.nestedEncodings else { continue }
                if scan.hasPercent, let view = view.withoutPercents() { inner.append(view) }
                if scan.hasBackslash, let view = view.withoutEscapes() { inner.append(view) }
                if scan.hasEscape, let view = view.withoutColours() { inner.append(view) }
            }
            views = inner
            depth += 1
        }
        return findings.merged()
    }

    /// Returns the part of a range before a quote that is not escaped: what was read without escapes is in one string of
    /// JSON, and ends with it.
    private static func inString(_ range: Range<Int>, of text: [UInt8]) -> Range<Int> {
        var place = range.lowerBound
        while place < range.upperBound {
            if text[place] == UInt8(ascii: "\\") {
                place += 1
            } else if text[place] == UInt8(ascii: "\"") {
                return range.lowerBound..<place
            }
            place += 1
        }
        return range
    }

    /// Returns a part of a text with markers in place of the findings in it.
    func written(_ bytes: [UInt8], _ findings: [Findings.Finding], in part: Range<Int>? = nil) -> [UInt8] {
        let part = part ?? bytes.indices
        var (result, place) = ([UInt8](), part.lowerBound)
        result.reserveCapacity(part.count)
        for finding in findings {
            result += bytes[place..<finding.range.lowerBound]
            let quote = finding.quote.map { bytes[$0] } ?? []
            result += quote
            result += finding.kind.marker.utf8
            result += quote
            place = finding.range.upperBound
        }
        result += bytes[place..<part.upperBound]
        return result
    }
}
