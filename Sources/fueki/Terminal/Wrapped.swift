/// Long text of others in lines that no terminal breaks: each begins with what we put before it, so that none of it can look like a
/// line of ours.
enum Wrapped {
    /// Columns of a narrow terminal.
    private static let width = 78

    /// - Parameter prefix: before each line.
    static func text(_ text: String, prefix: String) -> String {
        let room = width - prefix.count
        var lines: [String] = []
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            var piece = ""
            var columns = 0
            for character in line {
                // What is not ASCII may take two columns.
                let size = character.isASCII ? 1 : 2
                if columns + size > room {
                    lines.append(piece)
                    (piece, columns) = ("", 0)
                }
                piece.append(character)
                columns += size
            }
            lines.append(piece)
        }
        return lines.map { prefix + $0 }.joined(separator: "\n")
    }
}
