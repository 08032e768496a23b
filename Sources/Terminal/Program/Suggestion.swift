package import ArgumentParser

/// The subcommand that a mistyped word was probably meant to be.
package struct Suggestion: Equatable, Sendable {
    /// The word as it was typed.
    package let word: String
    /// The suggested words after the program's name, such as `wallet create`.
    package let command: String

    /// The highest number of letters that are wrong, missing, superfluous or swapped with their neighbour.
    private static let mistakes = 2

    /// Returns a suggestion for the first word that should name a subcommand and does not.
    ///
    /// - Parameter arguments: the command line without the program's name.
    /// - Returns: nil if all words name subcommands, or if no subcommand is similar.
    package static func first(in arguments: [String], of root: any ParsableCommand.Type) -> Suggestion? {
        var (command, path) = (root, [String]())
        for word in arguments {
            let subcommands = command.configuration.subcommands
            guard !word.hasPrefix("-"), !subcommands.isEmpty else { return nil }
            if let next = subcommands.first(where: { $0.names.contains(word) }) {
                command = next
                path.append(next._commandName)
                continue
            }
            let near = subcommands.flatMap { next in next.names.map { (next, distance(word, $0)) } }
                .filter { $0.1 <= min(mistakes, word.count / 2) }.min { $0.1 < $1.1 }
            return near.map {
                Suggestion(word: word, command: (path + [$0.0._commandName]).joined(separator: " "))
            }
        }
        return nil
    }

    /// Returns the number of letters that are wrong, missing, superfluous or swapped with their neighbour (the optimal
    /// string alignment distance).
    static func distance(_ first: String, _ second: String) -> Int {
        let (first, second) = (Array(first.lowercased()), Array(second.lowercased()))
        var rows = [Array(0...second.count)]
        for i in 0..<first.count {
            var row = [i + 1]
            for j in 0..<second.count {
                var least = min(rows[i][j + 1] + 1, row[j] + 1, rows[i][j] + (first[i] == second[j] ? 0 : 1))
                if i > 0, j > 0, first[i] == second[j - 1], first[i - 1] == second[j] {
                    least = min(least, rows[i - 1][j - 1] + 1)
                }
                row.append(least)
            }
            rows.append(row)
        }
        return rows[first.count][second.count]
    }
}

extension ParsableCommand {
    /// The names of the command.
    fileprivate static var names: [String] { [_commandName] + configuration.aliases }
}
