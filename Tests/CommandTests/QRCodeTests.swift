internal import Foundation
import TestSupport
import Testing

@Suite("QR codes", .enabled(if: Peer.codeReader.isExpected, Comment(rawValue: Peer.codeReader.absence)))
struct QRCodeTests {
    @Test(
        "what a reader of codes sees is the address that stands above it",
        arguments: ["taproot", "segwit", "ethereum"], [false, true])
    func read(type: String, isStyled: Bool) throws {
        let fueki = try FuekiCommand()
        try fueki.makeSavings()
        let shown =
            isStyled
            ? try onTerminal("address savings --type \(type) --qr", fueki)
            : try fueki.run("address", "savings", "--type", type, "--qr").output
        let lines = shown.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let address = try #require(lines.first)
        #expect(address.hasPrefix(type == "ethereum" ? "0x" : "bcrt1"))
        let code = lines.dropFirst(2).filter { !$0.isEmpty }
        if isStyled {
            // Black on white, whatever colours the terminal has.
            #expect(code.allSatisfy { $0.hasPrefix("\u{1B}[38;5;16;48;5;231m") && $0.hasSuffix("\u{1B}[0m") })
        }
        let drawn = code.map { $0.replacing(/\u{1B}\[[0-9;]*m/, with: "") }
        try fueki.folder.write(Self.picture(of: drawn, isDarkDrawn: isStyled), to: "code.pbm")
        let zbar = try #require(Peer.path(of: "zbarimg"))
        let read = try Program.run(zbar, ["--raw", "--quiet", "\(fueki.folder.path)/code.pbm"])
        if type == "ethereum" {
            // Exact, including the case: it is the checksum.
            #expect(read.output == "ethereum:\(address)\n")
        } else {
            #expect(read.output.lowercased() == "bitcoin:\(address)\n")
        }
    }

    private func onTerminal(_ command: String, _ fueki: borrowing FuekiCommand) throws -> String {
        let session = try Terminal.run(
            ["sh", "-c", "exec '\(FuekiCommand.binaries)/fueki' \(command)"],
            environment: ["FUEKI_HOME": "\(fueki.folder.path)/home", "TERM": "xterm-256color"], in: fueki.folder.path,
            isStyled: true, answers: [])
        return session.screen.replacing("\r\n", with: "\n")
    }

    /// Returns the characters as a camera would see them: a portable bitmap, in which 1 is black.
    ///
    /// - Parameter isDarkDrawn: whether drawn characters are black, as with styles; otherwise they are light on a dark
    ///   terminal.
    private static func picture(of lines: [String], isDarkDrawn: Bool) -> String {
        let scale = 4
        let rows = lines.flatMap { line in
            [line.map { "█▀".contains($0) != isDarkDrawn }, line.map { "█▄".contains($0) != isDarkDrawn }]
        }
        let pixels = rows.flatMap { row in
            Array(repeating: row.flatMap { Array(repeating: $0 ? "0" : "1", count: scale) }, count: scale)
        }
        return "P1\n\(rows[0].count * scale) \(pixels.count)\n"
            + pixels.map { $0.joined(separator: " ") }.joined(separator: "\n")
    }
}
