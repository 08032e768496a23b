import Foundation
import TestSupport
import Testing

/// Screens of terminals with 40, 80 and 120 columns, with styles and without, as files of Tests/CommandTests/Screens.
/// `FUEKI_SCREENS=write` writes them: look at the changes (`cat` shows the styles).
@Suite("Screens", .enabled(if: Peer.python.isExpected, Comment(rawValue: Peer.python.absence)))
struct ScreenTests {
    private static let folder = "\(Repository.path)/Tests/CommandTests/Screens"

    @Test("a payment before it is signed", arguments: [40, 80, 120], [true, false])
    func review(columns: Int, isStyled: Bool) throws {
        let fueki = try FuekiCommand()
        try fueki.makeSavings()
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

    /// 25.5 USDC to 0x3535…, by a transaction of Ethereum that is not signed.
    private static let token =
        "0x02f86c0103843b9aca00847735940082ea6094a0b86991c6218b36c1d19d4a2e9eb0ce3606eb4880b844a9059cbb00000000000000000000"
        + "000035353535353535353535353535353535353535350000000000000000000000000000000000000000000000000000000001851960c0"

    /// EIP-2612: somebody may take 100 USDC.
    private static let permit = """
        {"types": {"EIP712Domain": [{"name": "name", "type": "string"}, {"name": "version", "type": "string"},
          {"name": "chainId", "type": "uint256"}, {"name": "verifyingContract", "type": "address"}],
         "Permit": [{"name": "owner", "type": "address"}, {"name": "spender", "type": "address"},
          {"name": "value", "type": "uint256"}, {"name": "nonce", "type": "uint256"},
          {"name": "deadline", "type": "uint256"}]},
         "primaryType": "Permit",
         "domain": {"name": "USD Coin", "version": "2", "chainId": 1,
          "verifyingContract": "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"},
         "message": {"owner": "OWNER", "spender": "0x3535353535353535353535353535353535353535",
          "value": "100000000", "nonce": "0", "deadline": "1800000000"}}
        """

    @Test(
        "a token, typed data, the history and a refusal", arguments: [40, 80, 120], [true, false])
    func others(columns: Int, isStyled: Bool) throws {
        let fueki = try FuekiCommand()
        try fueki.makeSavings(on: "mainnet")
        let account = try fueki.run("address", "savings", "--type", "ethereum").output.trimmingCharacters(
            in: .whitespacesAndNewlines)
        try fueki.folder.write(Self.token, to: "token")
        try fueki.folder.write(Self.permit.replacing("OWNER", with: account), to: "permit")
        let signed = try fueki.run(
            "sign-typed-data", "savings", "permit", "--yes", "--accept", "first_allowance",
            "--passphrase-file", "passphrase")
        for (name, command, exit) in [
            ("token", "policy explain token --wallet savings", 0),
            ("typed", "sign-typed-data savings permit --dry-run --passphrase-file passphrase", 0),
            ("history", "history savings --passphrase-file passphrase", 0),
            ("refusal", "contact add savings carl bc1qw508d6qejztdg4y5r3zarvary0c5xw7kv8f3t5", 65),
        ] {
            let screen = try shown(command, by: fueki, columns, isStyled, exit: exit)
                .replacing(/20\d\d-\d\d-\d\d \d\d:\d\d/, with: "20xx-xx-xx xx:xx")
                .replacing(#/  [0-9a-f]{8}  /#, with: "  xxxxxxxx  ")
            // Where the rest is broken depends on an account that is another one each time.
            if columns == 40, ["token", "typed"].contains(name) { continue }
            if ["typed", "history"].contains(name) {
                #expect(Self.rows(of: screen).allSatisfy { $0.count < columns }, "\(screen)")
            }
            try compare(screen, with: "\(name).\(columns)\(isStyled ? ".styled" : "")")
        }
        #expect(signed.isSuccess, "\(signed.errors)")
    }

    @Test("a wallet, its balance and what it received", arguments: [40, 80, 120], [true, false])
    func received(columns: Int, isStyled: Bool) throws {
        let fueki = try FuekiCommand()
        let (paid, transaction, id) = try ReceivedTests.bench(fueki)
        let explorer = try SmallExplorer(paid.address, script: paid.script_pubkey, transaction: transaction, id: id)
        let node = "--esplora --node \(explorer.server.url)"
        for (name, command) in [
            ("show", "wallet show savings"), ("balance", "balance savings \(node)"),
            ("received", "history savings \(node) --passphrase-file passphrase"),
            (
                "create",
                "wallet create other --network regtest --backup-dir backup --passphrase-file passphrase 2>progress"
            ),
        ] {
            let whole = try shown(command, by: fueki, columns, isStyled)
            // The steps have clocks.
            let screen = whole.split(separator: "\n", omittingEmptySubsequences: false)
                .filter { !$0.contains("\r") && !$0.hasPrefix("asking the node") }.joined(separator: "\n")
                .replacing(/20\d\d-\d\d-\d\d[T ]\d\d:\d\d(:\d\dZ)?/) {
                    $0.output.0.count > 16 ? "20xx-xx-xxTxx:xx:xxZ" : "20xx-xx-xx xx:xx"
                }
                .replacing(#/  [0-9a-f]{8}\b/#, with: "  xxxxxxxx")
                .replacing(#//[^ \n]*/(home|backup)/#) { "/…/\($0.output.1)" }
                .replacing(/#[a-z0-9]{8}/, with: "#xxxxxxxx")
                .replacing(/[0-9A-Za-z]{16,}/) { String(repeating: "x", count: $0.output.count) }
                // An address in groups of four, on lines of its own.
                .replacing(/\n {6}[0-9a-z]{4}(?: [0-9a-z]{1,4})+(?=\n)/) {
                    String($0.output.map { $0.isWhitespace ? $0 : "x" })
                }
            // Words that are longer than the terminal is wide stay whole.
            for row in Self.rows(of: whole) where row.contains("  ") && !row.contains("\r") {
                #expect(row.count < columns || row.split(separator: " ").contains { $0.count >= columns - 1 }, "\(row)")
            }
            try compare(screen, with: "\(name).\(columns)\(isStyled ? ".styled" : "")")
        }
    }

    private func shown(
        _ command: String, by fueki: borrowing FuekiCommand, _ columns: Int, _ isStyled: Bool, exit: Int = 0
    ) throws -> String {
        let session = try Terminal.run(
            ["sh", "-c", "stty cols \(columns); exec '\(FuekiCommand.binaries)/fueki' \(command)"],
            environment: ["FUEKI_HOME": "\(fueki.folder.path)/home", "TERM": "xterm-256color"], in: fueki.folder.path,
            isStyled: isStyled, answers: [])
        #expect(session.exit == Int32(exit), "\(session.screen)")
        // Digests and identifiers are others each time.
        let screen = session.screen.replacing("\r\n", with: "\n")
            .replacing(/0x[0-9a-fA-F]{40}/, with: "0x" + String(repeating: "x", count: 40))
        return screen.replacing(/[0-9a-f]{16,}/) {
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
