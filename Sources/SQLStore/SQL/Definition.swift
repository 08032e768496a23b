/// A statement of a migration, with the few words in which the two databases differ:
/// `"CREATE TABLE t (id \(.bytes) PRIMARY KEY) \(.strict)"`. Nothing else can be inserted.
package struct Definition: ExpressibleByStringInterpolation, Sendable {
    /// The database that it is for.
    package enum Dialect: Sendable { case sqlite, postgreSQL }

    /// The words that differ between the databases.
    package enum Word: Sendable {
        /// The type of a column with bytes.
        case bytes
        /// The type of a column with a whole number of 64 bits.
        case integer
        /// The word `STRICT` after a table, by which SQLite also refuses values of other types than the column's.
        case strict
        /// Like `strict`, and SQLite keeps the rows in the order of their primary key: for small rows.
        case strictByKey

        func text(_ dialect: Dialect) -> String {
            switch (self, dialect) {
            case (.bytes, .sqlite): "BLOB"
            case (.bytes, .postgreSQL): "BYTEA"
            case (.integer, .sqlite): "INTEGER"
            case (.integer, .postgreSQL): "BIGINT"
            case (.strict, .sqlite): "STRICT"
            case (.strictByKey, .sqlite): "STRICT, WITHOUT ROWID"
            case (.strict, .postgreSQL), (.strictByKey, .postgreSQL): ""
            }
        }

        /// The text that identifies a migration, the same for every database.
        var neutralText: String {
            switch self {
            case .bytes: "<bytes>"
            case .integer: "<integer>"
            case .strict: "<strict>"
            case .strictByKey: "<strict by key>"
            }
        }
    }

    fileprivate enum Piece: Sendable {
        case literal(StaticString)
        case word(Word)
    }

    private let pieces: [Piece]

    package init(stringLiteral text: StaticString) { pieces = [.literal(text)] }
    package init(stringInterpolation: StringInterpolation) { pieces = stringInterpolation.pieces }

    func text(_ dialect: Dialect) -> String {
        pieces.map { piece in
            switch piece {
            case .literal(let text): "\(text)"
            case .word(let word): word.text(dialect)
            }
        }.joined()
    }

    var neutralText: String {
        pieces.map { piece in
            switch piece {
            case .literal(let text): "\(text)"
            case .word(let word): word.neutralText
            }
        }.joined()
    }

    package struct StringInterpolation: StringInterpolationProtocol, Sendable {
        fileprivate var pieces: [Piece] = []

        package init(literalCapacity: Int, interpolationCount: Int) {}
        package mutating func appendLiteral(_ text: StaticString) { pieces.append(.literal(text)) }
        package mutating func appendInterpolation(_ word: Word) { pieces.append(.word(word)) }
    }
}
