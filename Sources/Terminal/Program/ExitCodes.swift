/// The exit codes of a program, and what they mean there.
package struct ExitCodes: Sendable {
    /// In the order of their numbers.
    package let meanings: [(code: Failure.Code, text: String)]

    package init(_ meanings: [Failure.Code: String]) {
        self.meanings = meanings.map { (code: $0.key, text: $0.value) }.sorted { $0.code.rawValue < $1.code.rawValue }
    }

    /// The rows of the help and the manual.
    package var table: String {
        let rows = [(Int32(0), "done")] + meanings.map { ($0.code.rawValue, $0.text) }
        return rows.map { number, text in
            let digits = String(number)
            return String(repeating: " ", count: 4 - digits.count) + digits + "  " + text
        }.joined(separator: "\n")
    }
}
