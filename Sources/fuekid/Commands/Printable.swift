internal import Time

extension String {
    /// The text with escapes for every character that would move the cursor, change the order of letters or break the
    /// line: users chose the text, and the operator's terminal shows it.
    var printable: String {
        unicodeScalars.map { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned, .privateUse:
                "\\u{\(String(scalar.value, radix: 16))}"
            default: String(scalar)
            }
        }.joined()
    }
}

extension Timestamp {
    /// The time in UTC, for people.
    var text: String { rfc3339 }
}

extension Timestamp? {
    /// The time in UTC, for people; `never` for nil.
    var text: String { map(\.text) ?? "never" }
}

/// Returns a number with its noun: `1 session`, `2 sessions`.
func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
