internal import Foundation
internal import TestSupport
internal import Testing

/// A person who answers yes has seen the subject, on the same screen and before the question.
@Suite("The confirmation of a payment", .enabled(if: Peer.python.isExpected, Comment(rawValue: Peer.python.absence)))
struct ConfirmationTests {
    private struct Address: Decodable { let script_pubkey: String }
    private struct Wallet: Decodable { let name: String }

    /// A wallet, and a payment of its whole balance to a stranger.
    private static func payment() throws -> FuekiCommand {
        let fueki = try FuekiCommand()
        try fueki.folder.write("correct horse battery staple\n", to: "passphrase")
        _ = try fueki.json(
            "wallet", "create", "savings", "--network", "regtest", "--backup-dir", "backup", "--passphrase-file",
            "passphrase", as: Wallet.self)
        let address = try fueki.json("address", "savings", as: Address.self)
        let coin = Coin(
            txid: String(repeating: "5a", count: 32), vout: 1, value: 5_000_000_000,
            scriptPubKey: address.script_pubkey)
        let psbt = try Embit.psbt(
            inputs: [.init(coin)],
            outputs: [.init(value: 4_999_990_000, scriptPubKey: "5120" + String(repeating: "00", count: 31) + "01")])
        try fueki.folder.write(psbt, to: "payment.psbt")
        return fueki
    }

    private static let sign = [
        "psbt", "sign", "savings", "payment.psbt", "-o", "signed.psbt", "--with", "device,backup", "--passphrase-file",
        "passphrase",
    ]

    @Test("the subject of the question is on the terminal, with and without --json, and wherever standard error goes")
    func shown() throws {
        let fueki = try Self.payment()
        let command = "exec \(FuekiCommand.binaries)/fueki \(Self.sign.joined(separator: " "))"
        for variant in ["", " --json", " 2>/dev/null", " --json >/dev/null 2>/dev/null"] {
            let session = try Terminal.run(
                ["sh", "-c", command + variant], environment: ["FUEKI_HOME": "\(fueki.folder.path)/home"],
                in: fueki.folder.path, answers: [("[y/N] ", "n")])
            let asked = try #require(session.screen.range(of: "Sign this?"), "\(session.screen)")
            #expect(session.screen[..<asked.lowerBound].contains("49.99990000 BTC"), "\(variant)")
            #expect(session.exit == 2)
        }
    }

    @Test("a yes typed before the question does not count")
    func typedAhead() throws {
        let fueki = try Self.payment()
        // The first answer is typed before the command runs; the question itself is not answered.
        let isTyped = "python3 -c 'import select; select.select([0], [], [])'"
        let command =
            "printf 'ready '; \(isTyped); exec \(FuekiCommand.binaries)/fueki \(Self.sign.joined(separator: " "))"
        let session = try Terminal.run(
            ["sh", "-c", command], environment: ["FUEKI_HOME": "\(fueki.folder.path)/home"], in: fueki.folder.path,
            answers: [("ready ", "y"), ("[y/N] ", "n")])
        #expect(session.exit == 2, "\(session.screen)")
        #expect(try !fueki.run("psbt", "inspect", "signed.psbt").isSuccess)
    }
}
