internal import Foundation
internal import TestSupport
internal import Testing

/// Who says yes has seen what to, on the same screen and before it.
@Suite("The confirmation of a payment", .enabled(if: Peer.python.isExpected, Comment(rawValue: Peer.python.absence)))
struct ConfirmationTests {
    private struct Address: Decodable { let script_pubkey: String }
    private struct Wallet: Decodable { let name: String }

    /// A wallet, and a payment of all that it has to a stranger.
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

    @Test("what is asked about is on the terminal, with --json and without, and wherever standard error goes")
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

    @Test("a yes that was typed before the question is none")
    func typedAhead() throws {
        let fueki = try Self.payment()
        // The first answer is typed while the command does not run yet; nobody answers the question itself.
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
