/// Sentences in lines that no terminal breaks: what goes on stands behind blanks, so that words of others in it cannot look like a line
/// of ours. A word is not broken: it may be an address.
enum Wrapped {
    /// Columns that are read at a glance.
    private static let columns = 100
    private static let indent = "    "

    static func text(_ text: String) -> String {
        let room = min(columns, TerminalWidth.known ?? columns)
        var lines: [String] = []
        var width = 0
        for word in text.split(separator: " ") {
            // What is not ASCII may take two columns.
            let size = word.unicodeScalars.reduce(0) { $0 + ($1.isASCII ? 1 : 2) }
            if let last = lines.last, width + 1 + size < room {
                lines[lines.count - 1] = last + " " + word
                width += 1 + size
            } else {
                width = (lines.isEmpty ? 0 : indent.count) + size
                lines.append(String(word))
            }
        }
        return lines.joined(separator: "\n" + indent)
    }
}
