import TestSupport
import Testing

@Suite("Sessions on the command line")
struct CommandScriptTests {
    static let folder = "\(Repository.path)/Tests/CommandTests/Scripts"

    static let names = CommandScript.names(in: folder)

    @Test("every session matches its script", arguments: names)
    func session(name: String) throws {
        for mismatch in try CommandScript(named: name, in: Self.folder).run(besides: Self.folder) {
            Issue.record("\(name), \(mismatch)")
        }
    }

    @Test("the scripts exist")
    func scriptsAreFound() { #expect(!Self.names.isEmpty) }
}

@Suite("The runner of command line sessions")
struct CommandScriptRunnerTests {
    @Test("matching output, errors and status pass; commands share a folder")
    func asWritten() throws {
        let script = try CommandScript(
            parsing: """
                # Something for the reader.
                $ echo one > file; cat file; echo problem >&2; exit 3
                one
                ! problem
                exit 3

                $ cat file
                one
                """)
        #expect(script.steps.count == 2)
        #expect(try script.run().isEmpty)
    }

    @Test(
        "any difference from the record is reported",
        arguments: [
            "$ echo one\ntwo", "$ echo one", "$ true\none", "$ false", "$ true\nexit 1", "$ echo a >&2", "$ true\n! a",
            "$ echo one; echo two\none", "$ kill -9 $$",
        ])
    func notAsWritten(text: String) throws {
        #expect(try CommandScript(parsing: text).run().count == 1)
    }

    @Test("[..] stands for any text in a line, and [...] for any lines")
    func placeholders() {
        #expect(CommandScript.matches("fee 12 sat\n", ["fee [..] sat"]))
        #expect(CommandScript.matches("fee 12 of 13 sat\n", ["fee [..] of [..] sat"]))
        #expect(!CommandScript.matches("fee 12 btc\n", ["fee [..] sat"]))
        #expect(!CommandScript.matches("free\n", ["fee[..]"]))
        #expect(!CommandScript.matches("aba", ["ab[..]ba"]))
        #expect(CommandScript.matches("a\nb\nc\n", ["a", "[...]", "c"]))
        #expect(CommandScript.matches("a\nc\n", ["a", "[...]", "c"]))
        #expect(!CommandScript.matches("a\nb\n", ["a", "[...]", "c"]))
    }

    @Test("a line outside of any command is refused")
    func malformed() {
        #expect(throws: CommandScript.Malformed(line: 2)) { try CommandScript(parsing: "# a\nb") }
    }
}
