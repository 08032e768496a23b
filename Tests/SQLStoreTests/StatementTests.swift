internal import Foundation
internal import TestSupport
internal import Testing

/// Statements cannot be made from foreign text: this is tested by compiling attempts, beside an allowed one.
@Suite("Statements", .enabled(if: Compiler.modules != nil, "the built modules were not found"))
struct StatementTests {
    private static let attacks = [
        #"let sql: SQL = "SELECT \(name)""#,
        #"let sql: SQL = "SELECT " + name"#,
        "let sql = SQL(stringLiteral: name)",
        "let sql = SQL(stringLiteral: StaticString(name))",
        #"let sql = SQL(stringLiteral: "SELECT \(name)")"#,
        "let sql = SQL(text: name)",
        #"let sql = SQL(joining: "SELECT", name)"#,
        #"let sql = SQL(joining: "SELECT", "\(name)")"#,
        #"let sql: Definition = "CREATE TABLE \(name)""#,
        #"let sql: Definition = "CREATE TABLE t (a \(Definition.Word(name)))""#,
        "let sql = Definition(stringLiteral: name)",
    ]

    /// Returns the compiler's messages about these lines, each in a function of its own, together with the two files
    /// under test.
    private static func errors(_ lines: [String]) throws -> String? {
        let functions = lines.enumerated().map { "func attack\($0)(_ name: String) { \($1); _ = sql }" }
        let sources = try ["SQL", "Definition"].map { name in
            try String(
                contentsOfFile: "\(Repository.path)/Sources/SQLStore/SQL/\(name).swift", encoding: .utf8)
        }
        return try Compiler.errors(
            in: (functions + sources).joined(separator: "\n"), importing: [], options: ["-package-name", "fueki"])
    }

    @Test("control: a literal is a statement")
    func control() throws {
        let errors = try Self.errors([
            #"let sql: SQL = "SELECT 1""#, #"let sql = SQL(joining: "SELECT", "1")"#,
            #"let sql: Definition = "CREATE TABLE t (a \(.bytes)) \(.strict)""#,
        ])
        #expect(errors == nil)
    }

    @Test("a text known only at run time never becomes a statement, not even by interpolation")
    func attacks() throws {
        let errors = try Self.errors(Self.attacks) ?? ""
        let lines = Set(errors.matches(of: /attack\.swift:(\d+):\d+: error:/).compactMap { Int($0.1) })
        for (number, attack) in Self.attacks.enumerated() { #expect(lines.contains(number + 1), "compiles: \(attack)") }
        #expect(lines.count == Self.attacks.count, "the files themselves do not compile")
    }
}
