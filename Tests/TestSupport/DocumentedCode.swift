internal import Foundation

/// The examples in documentation comments and documents, for tests that compile them.
public enum DocumentedCode {
    /// Returns the Swift examples of one file, in order: of its documentation comments, or of a Markdown document.
    ///
    /// - Parameter path: from the package's folder.
    public static func examples(in path: String) throws -> [String] {
        let file = URL(fileURLWithPath: #filePath).appendingPathComponent("../../..").appendingPathComponent(path)
        var examples: [String] = []
        var open: [Substring]?
        for line in try String(contentsOf: file.standardized, encoding: .utf8).split(
            separator: "\n", omittingEmptySubsequences: false)
        {
            let text = path.hasSuffix(".swift") ? comment(line) : line
            guard let text else {
                open = nil
                continue
            }
            switch (text.drop { $0 == " " }, open) {
            case ("```swift", nil): open = []
            case ("```", let lines?):
                examples.append(lines.joined(separator: "\n"))
                open = nil
            case (_, .some): open?.append(text)
            case (_, nil): break
            }
        }
        return examples
    }

    private static func comment(_ line: Substring) -> Substring? {
        let text = line.drop { $0 == " " }
        guard text.hasPrefix("///") else { return nil }
        return text.dropFirst(3)
    }
}
