import Foundation
import TestSupport
import Testing

@testable import Redaction

/// The published corpus: `planted.txt` has secrets of every kind between ⟦ and ⟧, as logs show them, and `ordinary.txt`
/// has lines that only look similar. All secrets in it were drawn for this file.
@Suite("The corpus of planted secrets")
struct CorpusTests {
    private static func lines(_ name: String) throws -> [String] {
        try String(contentsOfFile: "\(Repository.path)/Tests/RedactionTests/Corpus/\(name)", encoding: .utf8)
            .split(separator: "\n").map(String.init)
    }

    /// The secrets of a line, and the line without the marks.
    private static func planted(_ line: String) -> (secrets: [String], text: String) {
        let secrets = line.split(separator: "⟦").dropFirst().compactMap {
            $0.split(separator: "⟧").first.map(String.init)
        }
        return (secrets, line.filter { $0 != "⟦" && $0 != "⟧" })
    }

    @Test("every planted secret is redacted whole, alone and in a text with all others")
    func recall() throws {
        let lines = try Self.lines("planted.txt").map(Self.planted)
        #expect(lines.count > 150 && lines.allSatisfy { !$0.secrets.isEmpty })
        let whole = Redactor().redacted(lines.map(\.text).joined(separator: "\n")).split(separator: "\n")
        #expect(whole.count == lines.count)
        for (line, together) in zip(lines, whole) {
            let redacted = Redactor().redacted(line.text)
            #expect(redacted == together)
            #expect(Redactor().redacted(redacted) == redacted)
            for secret in line.secrets {
                // Pieces of eight characters that stand elsewhere in the line as well are the line's own.
                let own = line.secrets.reduce(line.text) { $0.replacingOccurrences(of: $1, with: " ") }
                let characters = Array(secret)
                let pieces = (0...max(0, characters.count - 8)).map { String(characters[$0...].prefix(8)) }
                let left = pieces.filter { redacted.contains($0) && !own.contains($0) }
                #expect(left.isEmpty, "\(redacted) of \(line.text)")
            }
        }
    }

    @Test("nothing in ordinary lines is redacted")
    func ordinary() throws {
        let lines = try Self.lines("ordinary.txt")
        #expect(lines.count > 70)
        for line in lines { #expect(Redactor().redacted(line) == line) }
        let text = lines.joined(separator: "\n")
        #expect(Redactor().redacted(text) == text)
    }
}
