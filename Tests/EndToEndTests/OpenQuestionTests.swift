internal import Foundation
import TestSupport
import Testing

@Suite(
    "While a question is open", .enabled(if: Peer.node.isExpected, Comment(rawValue: Peer.node.absence)),
    .enabled(if: Peer.python.isExpected, Comment(rawValue: Peer.python.absence)))
struct OpenQuestionTests {
    private struct Line: Decodable {
        let time: String
        let state: String
    }

    /// Prints `now` each second until the script ends: text typed before the question is not an answer to it.
    private static let sayNow = "while test ! -e ended; do printf 'now '; sleep 0.9; done"

    /// Runs a shell script on a terminal, which gets an answer each time it prints `now`.
    private func run(_ script: String, of wallet: borrowing TestWallet, answering answer: String) throws -> String {
        let binaries = FuekiCommand.binaries
        let session = try Terminal.run(
            ["sh", "-c", script],
            environment: [
                "FUEKI_HOME": "\(wallet.folder)/home",
                "PATH": "\(binaries):\(ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")",
            ], in: wallet.folder, answers: [(String, String)](repeating: ("now ", answer), count: Patience.seconds))
        return session.screen
    }

    @Test("a payment confirmed after a long time is signed, and counts from the confirmation")
    func longQuestion() throws {
        let wallet = try TestWallet()
        let screen = try run(
            """
            (until test -e home/wallets/savings/book.vault.lock; do sleep 0.1; done
            begun=$(date +%s); until test $(date +%s) -gt $((begun + 12)); do sleep 0.1; done
            date +%s >answered; \(Self.sayNow)) &
            fueki sign-message savings --text hello --passphrase-file passphrase >signature
            touch ended
            wait
            """.replacing("savings", with: wallet.name), of: wallet, answering: "y")
        let answered = try #require(
            TimeInterval(wallet.fueki.folder.read("answered").trimmingCharacters(in: .whitespacesAndNewlines)))
        let lines: [Line] = try wallet.fueki.json("history", wallet.name, "--passphrase-file", "passphrase")
        #expect(lines.map(\.state) == ["signed"], "\(screen)")
        let time = try #require(lines.first.flatMap { try? Date($0.time, strategy: .iso8601) })
        #expect(time.timeIntervalSince1970 >= answered)
    }

    @Test("a payment mined while another command has the book open is recorded when that command is done")
    func bookInUse() throws {
        let node = try Node()
        let wallet = try TestWallet()
        let options = try wallet.options(node)
        _ = try node.fund(scriptPubKey: wallet.address().script_pubkey)
        let order = (wallet.order("1btc", options) + ["--wait"]).map { "'\($0)'" }.joined(separator: " ")
        let screen = try run(
            """
            fueki \(order) >sent 2>told &
            until grep -q 'waiting until' told; do sleep 0.2; done
            (until test -e home/wallets/\(wallet.name)/book.vault.lock; do sleep 0.2; done
            '\(node.path)/node/rpc' generatetodescriptor 1 'raw(51)' >mined; sleep 3; \(Self.sayNow)) &
            fueki sign-message \(wallet.name) --text hello --passphrase-file passphrase
            touch ended
            wait
            """, of: wallet, answering: "n")
        #expect(screen.contains("you did not confirm"), "\(screen)")
        let told = try wallet.fueki.folder.read("told")
        #expect(!told.contains("warning: the transaction is sent"), "\(told)")
        #expect(try wallet.fueki.folder.read("sent").contains("is mined, in block"))
        #expect(try wallet.history().map(\.state) == ["mined"])
    }
}
