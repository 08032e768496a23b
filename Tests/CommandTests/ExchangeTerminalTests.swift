internal import Foundation
import TestSupport
import Testing

/// Keys of exchanges on a terminal: typed secrets are not shown, and a question needs a person.
@Suite("Exchanges on a terminal", .enabled(if: Peer.python.isExpected, Comment(rawValue: Peer.python.absence)))
struct ExchangeTerminalTests {
    private static let passphrase = "correct horse battery staple"
    private static let key = "8wYlDpWL9mFQ/XkWqvA+E3mYlTb/KZrVnF4uJZt0aOqTqk+S1hGgB7mP"
    private static let secret =
        "kQH5HW/8p1uGOVjbgWA7FunAmGO8lsSUXNsu3eow76sz84Q18fWxnyRzBHCd3pd5nE9qa99HAZtuZuj6F1huXg=="

    /// A home with the key `main`, which was typed.
    private func make() throws -> FuekiCommand {
        let fueki = try FuekiCommand()
        let session = try fueki.converse(
            ["exchange", "add", "main", "--exchange", "kraken"],
            answers: [
                ("API key: ", Self.key), ("Secret (it is not shown): ", Self.secret),
                ("New passphrase: ", Self.passphrase), ("Repeat it: ", Self.passphrase),
            ])
        #expect(session.exit == 0, "\(session.screen)")
        #expect(session.screen.contains("the key 'main' of Kraken is stored"))
        for text in [Self.key, Self.secret, Self.passphrase] { #expect(!session.screen.contains(text.prefix(8))) }
        return fueki
    }

    @Test("a key and its secret are asked for, and not shown")
    func add() throws {
        let fueki = try make()
        let session = try fueki.converse(["exchange", "list"], answers: [("Passphrase: ", Self.passphrase)])
        #expect(session.exit == 0)
        #expect(session.screen.contains("main  Kraken  hmac-sha512  8wYl…"))
        #expect(!session.screen.contains(Self.key.prefix(8)))
    }

    @Test("a secret with a wrong character is refused without showing it, and makes no vault")
    func wrongSecret() throws {
        let fueki = try FuekiCommand()
        let session = try fueki.converse(
            ["exchange", "add", "main", "--exchange", "kraken"],
            answers: [("API key: ", Self.key), ("Secret (it is not shown): ", "kQH5HW\u{200B}8p1")])
        #expect(session.exit == 65)
        #expect(session.screen.contains("the secret has an invisible character at place 7"))
        #expect(!session.screen.contains("8p1"))
        #expect(!FileManager.default.fileExists(atPath: "\(fueki.folder.path)/home"))
    }

    @Test(
        "a key is removed or revoked after a yes, and stays after anything else", arguments: ["remove", "revoke-local"])
    func question(command: String) throws {
        let fueki = try make()
        let question = command == "remove" ? "Remove it? [y/N] " : "Revoke it? [y/N] "
        for (answer, exit) in [("n", 2), ("main", 2), ("y", 0)] as [(String, Int32)] {
            let session = try fueki.converse(
                ["exchange", command, "main"], answers: [("Passphrase: ", Self.passphrase), (question, answer)])
            #expect(session.exit == exit, "\(session.screen)")
        }
        let again = try fueki.converse(["exchange", "remove", "main"], answers: [("Passphrase: ", Self.passphrase)])
        #expect(again.exit == 66)
    }

    @Test("a dangerous new key replaces the old one only if its label is typed", arguments: ["y", "main"])
    func rotation(answer: String) throws {
        let fueki = try make()
        let key = "Z" + Self.key.dropFirst()
        let with = "'\(CommandScriptTests.folder)/with-exchange' 'set \(key) withdraw=1' -- "
        let rotate = "\(FuekiCommand.binaries)/fueki exchange rotate main --endpoint $EXCHANGE"
        let session = try Terminal.run(
            ["/bin/sh", "-c", "\(with)'\(rotate)'"], environment: ["FUEKI_HOME": "\(fueki.folder.path)/home"],
            in: fueki.folder.path,
            answers: [
                ("Passphrase: ", Self.passphrase), ("API key: ", key), ("Secret (it is not shown): ", Self.secret),
                ("type its label: ", answer),
            ])
        #expect(session.screen.contains("DANGER: the key can WITHDRAW"))
        #expect(session.screen.contains("Kraken names the same account for the old key and the new one"))
        #expect(session.exit == (answer == "main" ? 0 : 2), "\(session.screen)")
        let list = try fueki.converse(["exchange", "list"], answers: [("Passphrase: ", Self.passphrase)])
        #expect(list.screen.contains(answer == "main" ? "ZwYl…" : "8wYl…"))
        #expect(!list.screen.contains("next."))
    }

    @Test("the warning fits a narrow terminal", arguments: [40, 80])
    func narrow(columns: Int) throws {
        let fueki = try make()
        let with = "'\(CommandScriptTests.folder)/with-exchange' 'set \(Self.key) withdraw=1 list=0' -- "
        let check = "\(FuekiCommand.binaries)/fueki exchange check main --endpoint $EXCHANGE"
        let session = try Terminal.run(
            ["/bin/sh", "-c", "stty cols \(columns); \(with)'\(check)'"],
            environment: ["FUEKI_HOME": "\(fueki.folder.path)/home"], in: fueki.folder.path,
            answers: [("Passphrase: ", Self.passphrase)])
        #expect(session.exit == 2)
        #expect(session.screen.contains("DANGER: the key can WITHDRAW"))
        let rows = session.screen.split(whereSeparator: \.isNewline)
        #expect(rows.allSatisfy { $0.count < columns }, "\(session.screen)")
    }
}
