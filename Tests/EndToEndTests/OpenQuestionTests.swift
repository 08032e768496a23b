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

    /// Runs a shell script on a terminal, and another one while its question is open.
    private func run(
        _ script: String, of wallet: borrowing TestWallet, answering answer: String, meanwhile: String
    ) throws -> String {
        let binaries = FuekiCommand.binaries
        let session = try Terminal.run(
            ["sh", "-c", script],
            environment: [
                "FUEKI_HOME": "\(wallet.folder)/home",
                "PATH": "\(binaries):\(ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")",
            ], in: wallet.folder, answers: [("[y/N] ", answer)], meanwhile: meanwhile)
        return session.screen
    }

    // How long a question may be open, and how long another program waits for the book, the tests of Payments check in
    // virtual time. Here the commands have the right clocks.

    @Test("a payment confirmed in a later second is signed, and counts from the confirmation")
    func longQuestion() throws {
        let wallet = try TestWallet()
        let screen = try run(
            "fueki sign-message \(wallet.name) --text hello --passphrase-file passphrase >signature",
            of: wallet, answering: "y",
            meanwhile: """
                asked=$(date +%s)
                until test $(date +%s) -gt $asked; do sleep 0.05; done
                date +%s >answered
                """)
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
        // The block is there, and the waiting command has asked the node since.
        let log = "\(node.path)/node/regtest/debug.log"
        let screen = try run(
            """
            fueki \(order) >sent 2>told &
            until grep -q 'waiting until' told; do sleep 0.05; done
            fueki sign-message \(wallet.name) --text hello --passphrase-file passphrase
            wait
            """, of: wallet, answering: "n",
            meanwhile: """
                '\(node.path)/node/rpc' logging '["rpc"]'
                '\(node.path)/node/rpc' generatetodescriptor 1 'raw(51)' >mined
                until sed '1,/method=generatetodescriptor/d' '\(log)' | grep -q method=; do sleep 0.05; done
                """)
        #expect(screen.contains("you did not confirm"), "\(screen)")
        let told = try wallet.fueki.folder.read("told")
        #expect(!told.contains("warning: the transaction is sent"), "\(told)")
        #expect(try wallet.fueki.folder.read("sent").contains("is mined, in block"))
        #expect(try wallet.history().map(\.state) == ["mined"])
    }
}
