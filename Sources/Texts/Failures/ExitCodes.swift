/// The exit codes of a program, and their meanings.
package struct ExitCodes: Sendable {
    /// The meanings, in the order of the codes.
    package let meanings: [(code: Failure.Code, text: String)]

    package init(_ meanings: [Failure.Code: String]) {
        self.meanings = meanings.map { (code: $0.key, text: $0.value) }.sorted { $0.code.rawValue < $1.code.rawValue }
    }

    /// The table for the help and the manual.
    package var table: String {
        let rows = [(Int32(0), "done")] + meanings.map { ($0.code.rawValue, $0.text) }
        return rows.map { number, text in
            let digits = String(number)
            return String(repeating: " ", count: 4 - digits.count) + digits + "  " + text
        }.joined(separator: "\n")
    }
}
