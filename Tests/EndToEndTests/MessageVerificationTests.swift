internal import Encoding
internal import Foundation
import TestSupport
import Testing

/// `fueki verify-message` with foreign signatures.
@Suite("Foreign signed messages")
struct MessageVerificationTests {
    private struct Verdict: Decodable { let verdict: String }
    private struct Request: Encodable {
        let key: String
        var messages: [String]?
        var documents: [String]?
    }
    private struct Signed: Decodable { let signature: String }

    private static let key = String(repeating: "46", count: 32)
    private static let account = "0x9d8A62f656a8d1615C1294fd71e9CFb3E4855A4F"

    /// The exit code and the verdict.
    private func verdict(
        _ fueki: borrowing FuekiCommand, _ message: [UInt8], by address: String, _ signature: String,
        typed: Bool = false
    ) throws -> (status: Int32, verdict: String?) {
        let path = "\(fueki.folder.path)/message"
        try Data(message).write(to: URL(fileURLWithPath: path))
        let outcome = try fueki.run(
            ["verify-message", "message", "--address", address, "--signature", signature, "--json"]
                + (typed ? ["--typed"] : []))
        return (
            outcome.status, try? JSONDecoder().decode(Verdict.self, from: Data(outcome.output.utf8)).verdict
        )
    }

    @Test(
        "eth-account's signatures are valid, and invalid if one bit differs",
        .enabled(if: Peer.python.isExpected, Comment(rawValue: Peer.python.absence)))
    func ethereum() throws {
        let fueki = try FuekiCommand()
        let messages = ["", "I hold this account", "Grüße ✓\n", "\u{0}\u{1}"]
        let signed: [Signed] = try Python.ask(
            "ethereum.py", command: "message", Request(key: Self.key, messages: messages.map { Hex.encode($0.utf8) }))
        #expect(signed.count == messages.count)
        for (message, signed) in zip(messages, signed) {
            let bytes = Array(message.utf8)
            #expect(try verdict(fueki, bytes, by: Self.account, signed.signature) == (0, "valid"))
            #expect(try verdict(fueki, bytes + [0x0A], by: Self.account, signed.signature) == (2, "invalid"))
            let other = "0x" + String(repeating: "11", count: 20)
            #expect(try verdict(fueki, bytes, by: other, signed.signature) == (2, "invalid"))
            // Some wallets write the parity itself in place of 27 and 28.
            let parity = signed.signature.hasSuffix("1b") ? ["00", "01"] : ["01", "00"]
            #expect(
                try verdict(fueki, bytes, by: Self.account, String(signed.signature.dropLast(2)) + parity[0]) == (
                    0, "valid"
                ))
            #expect(
                try verdict(fueki, bytes, by: Self.account, String(signed.signature.dropLast(2)) + parity[1]) == (
                    2, "invalid"
                ))
        }
        let document = """
            {"types": {"EIP712Domain": [{"name": "chainId", "type": "uint256"}],
              "Order": [{"name": "items", "type": "Item[]"}], "Item": [{"name": "price", "type": "uint64"}]},
             "primaryType": "Order", "domain": {"chainId": 1}, "message": {"items": [{"price": 3}, {"price": 4}]}}
            """
        let orders: [Signed] = try Python.ask(
            "ethereum.py", command: "typed", Request(key: Self.key, documents: [document]))
        let signature = try #require(orders.first).signature
        let bytes = Array(document.utf8)
        #expect(try verdict(fueki, bytes, by: Self.account, signature, typed: true) == (0, "valid"))
        #expect(try verdict(fueki, bytes, by: Self.account, signature) == (2, "invalid"))
        let dearer = Array(document.replacing(#""price": 4"#, with: #""price": 5"#).utf8)
        #expect(try verdict(fueki, dearer, by: Self.account, signature, typed: true) == (2, "invalid"))
    }

    @Test("of BIP-322's vectors only signatures by a key exit with 0")
    func bitcoin() throws {
        let fueki = try FuekiCommand()
        var count = 0
        let vectors = try Vectors.json("bip322")
        func check(_ test: TestSupport.JSON, _ signature: TestSupport.JSON, isValid: Bool) throws {
            let (message, address) = (Array(try test["message"].string.utf8), try test["address"].string)
            let found = try verdict(fueki, message, by: address, signature.string)
            #expect((found.status == 0) == isValid, "\(address)")
            #expect((found.verdict == "valid") == isValid)
            if found.status == 0 { count += 1 }
        }
        for test in try vectors["simple"].array(of: 8) {
            let isKey = try ["p2wpkh", "p2tr"].contains(test["type"].string)
            for signature in try test["signatures"].array { try check(test, signature, isValid: isKey) }
        }
        for test in try vectors["errors"].array(of: 36) { try check(test, test["signature"], isValid: false) }
        #expect(count == 7)
    }
}
