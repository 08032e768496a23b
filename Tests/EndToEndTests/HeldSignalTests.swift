import Foundation
import TestSupport
import Testing

/// A session of ECDSA that a signal breaks off would stay counted in the files of the shares: the signal waits for its end.
@Suite("Signals that come while shares sign")
struct HeldSignalTests {
    private struct Entry: Decodable { let state: String }

    /// Starts a command, waits until the shares sign, and sends a signal. INT and QUIT are ignored, as a shell has its background
    /// commands do.
    ///
    /// - Returns: the status with which the shell saw it end: 128 and the signal's number, if the signal ended it.
    private func interrupt(_ wallet: borrowing TestWallet, _ signal: String) throws -> Int32? {
        let outcome = try Program.run(
            "/bin/sh",
            [
                "-c",
                """
                '\(FuekiCommand.binaries)/fueki' sign-message '\(wallet.name)' --text 'hold it' --chain ethereum --yes \
                --passphrase-file passphrase >signature 2>told & fueki=$!
                while ! grep -q 'signing with' told && kill -0 $fueki; do sleep 0.01; done
                kill -\(signal) $fueki; wait $fueki; echo $?
                """,
            ], environment: ["FUEKI_HOME": "\(wallet.folder)/home"], in: wallet.folder)
        return outcome.output.split(separator: "\n").last.flatMap { Int32($0) }
    }

    @Test(
        "the session comes to its end, the book knows that it is signed, and then the signal ends the process",
        arguments: [("TERM", SIGTERM), ("HUP", SIGHUP)])
    func held(name: String, number: Int32) throws {
        let wallet = try TestWallet()
        #expect(try interrupt(wallet, name) == 128 + number)
        // Nothing is printed behind the signal.
        #expect(try wallet.fueki.folder.read("signature").isEmpty)
        let history = try wallet.fueki.json(
            "history", wallet.name, "--passphrase-file", "passphrase", as: [Entry].self)
        #expect(history.map(\.state) == ["signed"])
        // The shares sign again.
        let again = try wallet.fueki.run(
            "sign-message", wallet.name, "--text", "again", "--chain", "ethereum", "--yes", "--passphrase-file",
            "passphrase")
        #expect(again.isSuccess, "\(again.errors)")
    }
}
