internal import Foundation
import TestSupport
import Testing

/// Foreign text in front of a person who decides: on terminals of several widths.
@Suite("Foreign text on a terminal", .enabled(if: Peer.python.isExpected, Comment(rawValue: Peer.python.absence)))
struct ForeignTextTests {
    private static let address = "0x" + String(repeating: "5b", count: 20)

    /// Text that would draw lines of the program on some terminal, with a letter that occurs nowhere else.
    private static let hostile = [
        "ж" + String(repeating: "_", count: 71) + "pays  ж5 BTC", "жж\n  pays  ж\n\ndigest  ж",
        String(repeating: "ж ", count: 90), String(repeating: "漢ж", count: 80), String(repeating: "ж", count: 700),
        "ж" + String(repeating: " ", count: 70) + "pays ж",
    ].joined(separator: "\n")

    private func wallet() throws -> FuekiCommand {
        let fueki = try FuekiCommand()
        try fueki.folder.write(TerminalTests.passphrase, to: "passphrase")
        _ = try fueki.json(
            "wallet", "create", "savings", "--network", "regtest", "--backup-dir", "backup", "--passphrase-file",
            "passphrase", as: JSON.self)
        try fueki.folder.write(Self.hostile, to: "message")
        let permit = """
            {"types": {"EIP712Domain": [{"name": "name", "type": "string"}, {"name": "chainId", "type": "uint256"},
                {"name": "verifyingContract", "type": "address"}, {"name": "salt", "type": "bytes32"}],
              "Permit": [{"name": "owner", "type": "address"}, {"name": "spender", "type": "address"},
                {"name": "value", "type": "uint256"}, {"name": "nonce", "type": "uint256"},
                {"name": "deadline", "type": "uint256"}]},
             "primaryType": "Permit",
             "domain": {"name": \(try text(Self.hostile)), "chainId": 11155111, "verifyingContract": "\(Self.address)",
               "salt": "0x\(String(repeating: "7e", count: 32))"},
             "message": {"owner": "\(Self.address)", "spender": "\(Self.address)", "value": 77, "nonce": 1, "deadline": 2}}
            """
        try fueki.folder.write(permit, to: "permit.json")
        return fueki
    }

    private func text(_ string: String) throws -> String {
        String(decoding: try JSONEncoder().encode(string), as: UTF8.self)
    }

    @Test("on every terminal each line of foreign text begins with our mark", arguments: [40, 80, 120])
    func marked(columns: Int) throws {
        let fueki = try wallet()
        for command in ["sign-message savings message", "sign-typed-data savings permit.json"] {
            let session = try Terminal.run(
                [
                    "sh", "-c",
                    "stty cols \(columns); exec '\(FuekiCommand.binaries)/fueki' \(command) --passphrase-file passphrase",
                ], environment: ["FUEKI_HOME": "\(fueki.folder.path)/home"], in: fueki.folder.path,
                answers: [("Sign this? [y/N] ", "n")])
            #expect(session.exit == 2 && session.screen.contains("Sign this?"), "\(session.screen)")
            // The file's text is complete, and no row is wider than the terminal, so none continues where the program's
            // rows begin.
            let rows = session.screen.split { $0.isNewline }.filter { $0.contains("ж") }
            let letters = rows.joined().filter { $0 == "ж" }.count
            #expect(letters == Self.hostile.filter { $0 == "ж" }.count)
            for row in rows {
                #expect(row.hasPrefix("  | ") || row.hasPrefix("  + "), "\(row)")
                let width = row.unicodeScalars.reduce(0) { $0 + ($1.isASCII ? 1 : 2) }
                #expect(width < columns, "\(row)")
            }
            #expect(session.screen.contains("<U+0020*70>"))
        }
    }

    @Test(
        "what a node says in an error stands in rows with our mark, and in quotation marks in the JSON",
        arguments: [40, 80, 120])
    func nodeError(columns: Int) throws {
        let fueki = try wallet()
        let words = "ж" + String(repeating: "_", count: 50) + "fueki: ж\" ж" + String(repeating: "漢ж", count: 30)
        let error = #""result":null,"error":{"code":-5,"message":\#(try text(words))}}"#
        let node = try FakeNode { request in
            let question = String(decoding: request.body, as: UTF8.self)
            let id = question.firstMatch(of: /"id": ?([^,}]+)/)?.1 ?? "1"
            return FakeNode.http(#"{"jsonrpc":"2.0","id":\#(id),"# + error)
        }
        let command = "balance savings --node \(node.url)"
        let session = try Terminal.run(
            ["sh", "-c", "stty cols \(columns); exec '\(FuekiCommand.binaries)/fueki' \(command)"],
            environment: ["FUEKI_HOME": "\(fueki.folder.path)/home"], in: fueki.folder.path, answers: [])
        let rows = session.screen.split { $0.isNewline }
        #expect(rows.contains { $0.hasPrefix("fueki: the node says: see below (-5)") }, "\(session.screen)")
        let marked = rows.filter { $0.contains("ж") }
        #expect(marked.joined().filter { $0 == "ж" }.count == words.filter { $0 == "ж" }.count, "\(session.screen)")
        for row in marked {
            #expect(row.hasPrefix("  | ") || row.hasPrefix("  + "), "\(row)")
            #expect(row.unicodeScalars.reduce(0) { $0 + ($1.isASCII ? 1 : 2) } < columns, "\(row)")
        }
        struct Told: Decodable {
            struct Body: Decodable { let message: String }
            let error: Body
        }
        let told = try fueki.run(command.split(separator: " ").map(String.init) + ["--json"])
        let message = try JSONDecoder().decode(Told.self, from: Data(told.errors.utf8)).error.message
        #expect(message.hasPrefix("the node says: \"\(words)\" (-5)"), "\(message)")
    }

    @Test(
        "a sentence with a word that is longer than the terminal is broken into rows that fit, wherever the streams go",
        arguments: ["", "<n >shown 2>&1; cat shown"])
    func longWords(redirection: String) throws {
        let fueki = try wallet()
        try fueki.folder.write("", to: "n")
        let made = try Program.run(
            "/bin/sh", ["-c", "'\(CommandScriptTests.folder)/payment' savings >payment.psbt"],
            environment: [
                "PATH": "\(FuekiCommand.binaries):/usr/bin:/bin", "FUEKI_HOME": "\(fueki.folder.path)/home",
            ], in: fueki.folder.path)
        #expect(made.isSuccess, "\(made.errors)")
        let command = "psbt sign savings payment.psbt -o no --dry-run --passphrase-file passphrase"
        let session = try Terminal.run(
            ["sh", "-c", "stty cols 40; '\(FuekiCommand.binaries)/fueki' \(command) \(redirection)"],
            environment: ["FUEKI_HOME": "\(fueki.folder.path)/home"], in: fueki.folder.path, answers: [])
        let rows = session.screen.split { $0.isNewline }
        let start = try #require(rows.firstIndex { $0.hasPrefix("warning: you have never paid") }, "\(session.screen)")
        let sentence = [rows[start]] + rows[(start + 1)...].prefix { $0.hasPrefix("    ") }
        #expect(sentence.count >= 3 && sentence.allSatisfy { $0.count < 40 }, "\(sentence)")
        #expect(sentence.joined().filter { $0 != " " }.contains("bcrt1p" + String(repeating: "q", count: 30)))
    }

    @Test("typed data is shown with its salt, and completely in the JSON")
    func typedData() throws {
        struct Rehearsal: Decodable {
            struct TypedData: Decodable {
                let domain: [String: String]
                let primary_type: String
                let message: [String: String]
            }
            struct Remark: Decodable { let name, weight: String }
            let typed_data: TypedData
            let remarks: [Remark]
        }
        let fueki = try wallet()
        let command = ["sign-typed-data", "savings", "permit.json", "--dry-run", "--passphrase-file", "passphrase"]
        let shown = try fueki.run(command)
        let joined = shown.output.split(separator: "\n").map { $0.drop { " |+".contains($0) } }.joined()
        #expect(joined.contains("salt: 0x" + String(repeating: "7e", count: 32)), "\(shown.output)")
        let result: Rehearsal = try fueki.json(command)
        #expect(result.typed_data.domain["name"] == Self.hostile)
        #expect(result.typed_data.domain["salt"] == "0x" + String(repeating: "7e", count: 32))
        #expect(result.typed_data.message["value"] == "77" && result.typed_data.message.count == 5)
        #expect(result.typed_data.primary_type == "Permit")
        #expect(result.remarks.contains { $0.name == "odd_text" && $0.weight == "costly" })
        // With --yes it is not signed.
        let refused = try fueki.run(
            "sign-typed-data", "savings", "permit.json", "--yes", "--passphrase-file", "passphrase")
        #expect(refused.status == 2 && refused.output.isEmpty && refused.errors.contains("many blanks in a row"))
    }

    @Test("a line break in a file's name cannot begin a line of an error")
    func fileName() throws {
        let fueki = try FuekiCommand()
        let outcome = try fueki.run("psbt", "inspect", "a\nfueki: all is well")
        #expect(outcome.status == 66)
        #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
    }

    @Test("odd characters of a message are reported when its signature is verified")
    func verification() throws {
        struct Verdict: Decodable {
            struct Remark: Decodable { let name: String }
            let verdict: String
            let remarks: [Remark]?
        }
        struct Signed: Decodable { let signature, address: String }
        let fueki = try FuekiCommand()
        try fueki.folder.write(TerminalTests.passphrase, to: "passphrase")
        _ = try fueki.json(
            "wallet", "create", "savings", "--network", "regtest", "--backup-dir", "backup", "--passphrase-file",
            "passphrase", as: JSON.self)
        for (text, remarks) in [("plain", nil), ("a\u{200B}b", ["odd_text"])] as [(String, [String]?)] {
            struct Rehearsal: Decodable { let digest: String }
            let sign = ["sign-message", "savings", "--text", text, "--passphrase-file", "passphrase"]
            let digest: Rehearsal = try fueki.json(sign + ["--dry-run"])
            let signed: Signed = try fueki.json(
                sign + ["--expect", digest.digest] + (remarks.map { ["--accept"] + $0 } ?? []))
            let verify = [
                "verify-message", "--text", text, "--address", signed.address, "--signature", signed.signature,
            ]
            let verdict: Verdict = try fueki.json(verify)
            #expect(verdict.verdict == "valid" && verdict.remarks?.map(\.name) == remarks)
            let told = try fueki.run(verify).errors
            #expect(told.contains("warning: of the message, it has characters that cannot be seen") == (remarks != nil))
        }
    }
}
