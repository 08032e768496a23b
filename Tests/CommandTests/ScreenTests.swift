import Foundation
import TestSupport
import Testing

/// What people see on terminals of 40, 80 and 120 columns, with styles and without, as files of Tests/CommandTests/Screens.
/// `FUEKI_SCREENS=write` writes them: look at what has changed (`cat` shows the styles).
@Suite("Screens", .enabled(if: Peer.python.isExpected, Comment(rawValue: Peer.python.absence)))
struct ScreenTests {
    private static let folder = "\(Repository.path)/Tests/CommandTests/Screens"

    @Test("a payment before it is signed", arguments: [40, 80, 120], [true, false])
    func review(columns: Int, isStyled: Bool) throws {
        let fueki = try FuekiCommand()
        try fueki.folder.write("correct horse battery staple\n", to: "passphrase")
        _ = try Program.run("/bin/chmod", ["600", "\(fueki.folder.path)/passphrase"])
        let made = try fueki.run(
            "wallet", "create", "savings", "--network", "regtest", "--backup-dir", "backup", "--passphrase-file",
            "passphrase")
        #expect(made.isSuccess, "\(made.errors)")
        let payment = try Program.run(
            "/bin/sh", ["-c", "'\(CommandScriptTests.folder)/payment' savings >payment.psbt"],
            environment: [
                "PATH": "\(FuekiCommand.binaries):/usr/bin:/bin", "FUEKI_HOME": "\(fueki.folder.path)/home",
            ], in: fueki.folder.path)
        #expect(payment.isSuccess, "\(payment.errors)")
        let screen = try shown(
            "psbt sign savings payment.psbt -o no --dry-run --passphrase-file passphrase", by: fueki, columns, isStyled)
        #expect(screen.contains("\u{1B}[") == isStyled)
        #expect(Self.rows(of: screen).allSatisfy { $0.count < columns }, "\(screen)")
        try compare(screen, with: "review.\(columns)\(isStyled ? ".styled" : "")")
    }

    private func shown(
        _ command: String, by fueki: borrowing FuekiCommand, _ columns: Int, _ isStyled: Bool
    ) throws -> String {
        let session = try Terminal.run(
            ["sh", "-c", "stty cols \(columns); exec '\(FuekiCommand.binaries)/fueki' \(command)"],
            environment: ["FUEKI_HOME": "\(fueki.folder.path)/home", "TERM": "xterm-256color"], in: fueki.folder.path,
            isStyled: isStyled, answers: [])
        #expect(session.exit == 0, "\(session.screen)")
        // Digests and identifiers are others each time.
        return session.screen.replacing("\r\n", with: "\n").replacing(/[0-9a-f]{16,}/) {
            String(repeating: "x", count: $0.output.count)
        }
    }

    private func compare(_ screen: String, with name: String) throws {
        let path = "\(Self.folder)/\(name).txt"
        if ProcessInfo.processInfo.environment["FUEKI_SCREENS"] == "write" {
            try screen.write(toFile: path, atomically: true, encoding: .utf8)
        }
        #expect(screen == (try? String(contentsOfFile: path, encoding: .utf8)), "\(name)")
    }

    /// Without styles.
    private static func rows(of screen: String) -> [Substring] {
        screen.replacing(/\u{1B}\[[0-9;]*m/, with: "").split(separator: "\n")
    }
}
