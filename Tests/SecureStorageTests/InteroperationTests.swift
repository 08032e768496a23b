internal import Foundation
internal import TestSupport
internal import Testing

/// An independent reader: Python with other libraries, written from docs/formats/vault.md.
@Suite("An independent reader")
struct InteroperationTests {
    private static let golden = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Golden")

    @Test(
        "opens the golden vaults and finds what we put in",
        .enabled(if: Peer.python.isExpected, Comment(rawValue: Peer.python.absence)),
        arguments: [
            ("one-item.vault", "correct horse battery staple", "a share, or what stands for one", 1),
            ("three-items.vault", "zw\u{f6}lf Boxk\u{e4}mpfer", "token", 3),
            ("legacy.vault", "old passphrase", "old words", 1),
            ("device.vault", "1234", "a share", 1), ("device.vault", "a passphrase without the device", "a share", 1),
            ("normalised.vault", "zw\u{f6}lf effiziente Wo\u{308}rter", "a share", 1),
            ("normalised.vault", "second", "a share", 1), ("normalised-device.vault", "1234", "a share", 1),
        ])
    func reads(_ file: String, _ passphrase: String, _ expected: String, _ count: Int) throws {
        let script = Self.golden.appendingPathComponent("read_vault.py").path
        let vault = Self.golden.appendingPathComponent(file).path
        let reader = try Program.run(Python.interpreter, [script, vault, passphrase])
        #expect(reader.isSuccess)
        #expect(reader.output.contains(expected.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()))
        #expect(reader.output.split(separator: "\n").count == 1 + count)
        #expect(try !Program.run(Python.interpreter, [script, vault, "not the passphrase"]).isSuccess)
    }
}
