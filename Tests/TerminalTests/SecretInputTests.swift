import Secrets
import TestSupport
import Testing
import Texts

@testable import Terminal

@Suite("A secret of a command")
struct SecretInputTests: ~Copyable {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A secret whose file has this content.
    private func input(_ content: String) throws -> SecretInput {
        let path = folder.path + "/secret-\(content.utf8.count)"
        try OutputFile.write(Array(content.utf8), to: path)
        return SecretInput(path, "--secret-file")
    }

    private func text(_ secret: borrowing SecretBytes) -> String {
        secret.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    }

    @Test("an existing one is the first line of the file, and may be empty only where that is meant")
    func existing() throws {
        #expect(try text(input("abc\nd\n").existing("?")) == "abc")
        let empty = try input("\n")
        #expect(try text(empty.existing("?", isOptional: true)) == "")
        #expect(throws: Failure.self) { _ = try empty.existing("?") }
    }

    @Test("a text is the whole file, of which one byte more than the longest is read")
    func longText() throws {
        let input = try input("abc\nd\n")
        #expect(try text(input.text("?", longest: 100)) == "abc\nd\n")
        #expect(try text(input.text("?", longest: 3)) == "abc\n")
    }
}
