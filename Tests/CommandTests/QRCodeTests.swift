internal import Foundation
import TestSupport
import Testing

@Suite("Codes for a telephone", .enabled(if: Peer.codeReader.isExpected, Comment(rawValue: Peer.codeReader.absence)))
struct QRCodeTests {
    @Test(
        "what a reader of codes sees is the address that stands above it",
        arguments: ["taproot", "segwit", "ethereum"])
    func read(type: String) throws {
        let fueki = try FuekiCommand()
        try fueki.folder.write("correct horse battery staple\n", to: "passphrase")
        let made = try fueki.run(
            "wallet", "create", "savings", "--network", "regtest", "--backup-dir", "backup", "--passphrase-file",
            "passphrase")
        #expect(made.isSuccess, "\(made.errors)")
        let shown = try fueki.run("address", "savings", "--type", type, "--qr").output
        let lines = shown.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let address = try #require(lines.first)
        #expect(address.hasPrefix(type == "ethereum" ? "0x" : "bcrt1"))
        try fueki.folder.write(Self.picture(of: lines.dropFirst(2).filter { !$0.isEmpty }), to: "code.pbm")
        let zbar = try #require(Peer.path(of: "zbarimg"))
        let read = try Program.run(zbar, ["--raw", "--quiet", "\(fueki.folder.path)/code.pbm"])
        if type == "ethereum" {
            // To the letter: their case is the checksum.
            #expect(read.output == "ethereum:\(address)\n")
        } else {
            #expect(read.output.lowercased() == "bitcoin:\(address)\n")
        }
    }

    /// The characters as a camera would see them on a dark terminal: a portable bitmap, in which 1 is black.
    private static func picture(of lines: [String]) -> String {
        let scale = 4
        let rows = lines.flatMap { line in
            [line.map { "█▀".contains($0) }, line.map { "█▄".contains($0) }]
        }
        let pixels = rows.flatMap { row in
            Array(repeating: row.flatMap { Array(repeating: $0 ? "0" : "1", count: scale) }, count: scale)
        }
        return "P1\n\(rows[0].count * scale) \(pixels.count)\n"
            + pixels.map { $0.joined(separator: " ") }.joined(separator: "\n")
    }
}
