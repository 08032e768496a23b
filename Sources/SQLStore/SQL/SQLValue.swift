package import Time

/// A value that is bound to a statement, or is in a row.
package enum SQLValue: Equatable, Sendable {
    case integer(Int64)
    case bytes([UInt8])
    /// Text without U+0000, which PostgreSQL cannot store.
    case text(String)
    case null

    package static func time(_ time: Timestamp) -> SQLValue { .integer(time.milliseconds) }
    package static func flag(_ flag: Bool) -> SQLValue { .integer(flag ? 1 : 0) }

    package static func time(_ time: Timestamp?) -> SQLValue { time.map { .integer($0.milliseconds) } ?? .null }
    package static func text(_ text: String?) -> SQLValue { text.map { .text($0) } ?? .null }
    package static func bytes(_ bytes: [UInt8]?) -> SQLValue { bytes.map { .bytes($0) } ?? .null }

    /// Whether both databases store it unchanged.
    var isStorable: Bool {
        switch self {
        case .integer, .null: true
        case .bytes(let bytes): bytes.count <= StoreLimits.longestValue
        case .text(let text): text.utf8.count <= StoreLimits.longestValue && !text.utf8.contains(0)
        }
    }
}
