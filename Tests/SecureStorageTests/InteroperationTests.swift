internal import Foundation
internal import Testing

/// A reader that is not ours: Python, other libraries, written from docs/formats/vault.md.
@Suite("An independent reader")
struct InteroperationTests {
    private static let golden = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Golden")

    private static func python(_ arguments: [String]) throws -> (status: Int32, output: String) {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3"] + arguments
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, output)
    }

    static let isUsable =
        (try? python(["-c", "from cryptography.hazmat.primitives.kdf.argon2 import Argon2id"]).status) == 0
        || ProcessInfo.processInfo.environment["CI"] == "true"

    @Test(
        "opens the golden vaults and finds what we put in",
        .enabled(if: isUsable, "python3 has no package cryptography (44 or later)"),
        arguments: [
            ("one-item.vault", "correct horse battery staple", "a share, or what stands for one", 1),
            ("three-items.vault", "zw\u{f6}lf Boxk\u{e4}mpfer", "token", 3),
            ("legacy.vault", "old passphrase", "old words", 1),
        ])
    func reads(_ file: String, _ passphrase: String, _ expected: String, _ count: Int) throws {
        let script = Self.golden.appendingPathComponent("read_vault.py").path
        let vault = Self.golden.appendingPathComponent(file).path
        let (status, output) = try Self.python([script, vault, passphrase])
        #expect(status == 0)
        #expect(output.contains(expected.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()))
        #expect(output.split(separator: "\n").count == 1 + count)
        #expect(try Self.python([script, vault, "not the passphrase"]).status != 0)
    }
}
