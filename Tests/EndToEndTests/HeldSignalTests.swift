import Foundation
import TestSupport
import Testing

/// An ECDSA session interrupted by a signal would stay counted in the share files: so the signal waits for its end.
@Suite("Signals during signing")
struct HeldSignalTests {
    private struct Entry: Decodable { let state: String }

    @Test(
        "the session comes to its end, the book knows that it is signed, and then the signal ends the process",
        .enabled(if: Strace.isUsable || Strace.isRequired, Comment(rawValue: Strace.absence)),
        arguments: [("TERM", SIGTERM), ("HUP", SIGHUP)])
    func held(name: String, number: Int32) async throws {
        let wallet = try TestWallet()
        let counts = "device.vault.counts"
        // The command is stopped when a share counts the session in its file.
        let command = try await StoppedProgram(
            "\(FuekiCommand.binaries)/fueki",
            [
                "sign-message", wallet.name, "--text", "hold it", "--chain", "ethereum", "--yes", "--passphrase-file",
                "\(wallet.folder)/passphrase",
            ], environment: ["FUEKI_HOME": "\(wallet.folder)/home"], behind: "renameat", on: [counts])
        #expect(command.strace.errors.contains("signing with"), "\(command.strace.errors)")
        kill(command.process, number)
        try await Patience.wait(for: "the command's end") {
            // strace counts by thread: where another thread makes such a call, it has stopped the command again.
            command.goOn()
            return command.strace.status != nil
        }
        #expect(command.strace.status == 128 + number, "\(command.strace.errors)")
        // After the signal nothing is printed.
        #expect(command.strace.output.isEmpty)
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
