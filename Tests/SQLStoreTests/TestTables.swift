internal import SQLStore
internal import StoreTestSupport

/// The tables for the tests of the store, which itself has none.
enum TestTables {
    static let migrations = [
        Migration(
            name: "001 test tables",
            definitions: [
                """
                CREATE TABLE marks (
                    mark \(.bytes) NOT NULL PRIMARY KEY CHECK (length(mark) = 32),
                    made_at \(.integer) NOT NULL
                ) \(.strictByKey)
                """,
                """
                CREATE TABLE owners (
                    owner_id \(.bytes) NOT NULL PRIMARY KEY CHECK (length(owner_id) = 16),
                    name TEXT NOT NULL
                ) \(.strict)
                """,
                """
                CREATE TABLE notes (
                    note_id \(.bytes) NOT NULL PRIMARY KEY CHECK (length(note_id) = 16),
                    owner_id \(.bytes) REFERENCES owners (owner_id) ON DELETE CASCADE,
                    text TEXT NOT NULL,
                    number \(.integer) NOT NULL,
                    details \(.bytes)
                ) \(.strict)
                """,
            ])
    ]

    /// The contents of a copy of these tables: the number of owners.
    static let contents = SQLiteBackup.Contents(migrations: migrations) { transaction throws(StoreError) in
        try transaction.first("SELECT count(*) FROM owners", [])?.integer(0) ?? 0
    }
}

/// The table `marks`.
enum Marks {
    /// Adds a mark of 32 bytes. Returns false if it is there already.
    static func add(_ mark: [UInt8], in transaction: some Transaction) throws(StoreError) -> Bool {
        try transaction.change(
            "INSERT INTO marks (mark, made_at) VALUES ($1, $2) ON CONFLICT (mark) DO NOTHING",
            [.bytes(mark), .time(now)]) == 1
    }

    /// All marks, in the order of their bytes.
    static func all(in transaction: some Transaction) throws(StoreError) -> [[UInt8]] {
        var marks: [[UInt8]] = []
        for row in try transaction.run("SELECT mark FROM marks ORDER BY mark", []) { marks.append(try row.bytes(0)) }
        return marks
    }
}

/// The table `owners`.
enum Owners {
    /// Adds an owner with a note that refers to it.
    static func add(_ number: UInt8, in transaction: some Transaction) throws(StoreError) {
        try transaction.change(
            "INSERT INTO owners (owner_id, name) VALUES ($1, $2)",
            [.bytes(bytes(number, 16)), .text("owner \(number)")])
        try Notes.add(bytes(number, 16), of: bytes(number, 16), text: "note \(number)", in: transaction)
    }

    static func rename(_ number: UInt8, to name: String, in transaction: some Transaction) throws(StoreError) {
        try transaction.change(
            "UPDATE owners SET name = $1 WHERE owner_id = $2", [.text(name), .bytes(bytes(number, 16))])
    }

    static func name(of number: UInt8, in transaction: some Transaction) throws(StoreError) -> String? {
        try transaction.first("SELECT name FROM owners WHERE owner_id = $1", [.bytes(bytes(number, 16))])?.text(0)
    }
}

/// The table `notes`.
enum Notes {
    /// - Parameter id: 16 bytes.
    static func add(
        _ id: [UInt8], of owner: [UInt8]? = nil, text: String, number: Int64 = 0, details: [UInt8]? = nil,
        in transaction: some Transaction
    ) throws(StoreError) {
        try transaction.change(
            "INSERT INTO notes (note_id, owner_id, text, number, details) VALUES ($1, $2, $3, $4, $5)",
            [.bytes(id), .bytes(owner), .text(text), .integer(number), .bytes(details)])
    }
}

extension StoreUnderTest {
    /// Opens a database with the empty tables of these tests, and closes it afterwards.
    func with<Result>(_ body: (any Database) async throws -> Result) async throws -> Result {
        try await with(TestTables.migrations, body)
    }
}
