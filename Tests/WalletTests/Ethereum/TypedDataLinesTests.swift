import Curves
internal import DisplayText
import Encoding
import TestSupport
import Testing

@testable import Bitcoin
@testable import Ethereum
@testable import HDKeys
@testable import Mnemonics
@testable import Wallet

@Suite("Typed data, as it is shown")
struct TypedDataLinesTests {
    /// One member of each kind, in the domain too.
    static let everything = """
        {"types": {
          "EIP712Domain": [{"name": "name", "type": "string"}, {"name": "version", "type": "string"},
            {"name": "chainId", "type": "uint256"}, {"name": "verifyingContract", "type": "address"},
            {"name": "salt", "type": "bytes32"}],
          "Order": [{"name": "price", "type": "uint256"}, {"name": "change", "type": "int64"}, {"name": "open", "type": "bool"},
            {"name": "maker", "type": "address"}, {"name": "key", "type": "bytes4"}, {"name": "blob", "type": "bytes"},
            {"name": "terms", "type": "string"}, {"name": "items", "type": "Item[2]"}, {"name": "table", "type": "uint8[][]"},
            {"name": "none", "type": "string[]"}],
          "Item": [{"name": "token", "type": "address"}, {"name": "label", "type": "string"}]},
         "primaryType": "Order",
         "domain": {"name": "A market", "version": "v7", "chainId": 31337,
           "verifyingContract": "0x\(String(repeating: "a1", count: 20))", "salt": "0x\(String(repeating: "5a", count: 32))"},
         "message": {"price": "123456789", "change": -77, "open": true, "maker": "0x\(String(repeating: "b2", count: 20))",
           "key": "0xc3c3c3c3", "blob": "0xd4d4d4d4d4d4", "terms": "all of it",
           "items": [{"token": "0x\(String(repeating: "e5", count: 20))", "label": "first"},
             {"token": "0x\(String(repeating: "f6", count: 20))", "label": "second"}],
           "table": [[201, 202], [], [203]], "none": []}}
        """

    private func data(_ document: String) throws -> TypedData { try TypedData(decoding: Array(document.utf8)) }

    @Test("every member of the message and of the domain is a line, with what is signed")
    func lines() throws {
        let rows = try data(Self.everything).lines.map { String(repeating: " ", count: $0.depth) + $0.text }
        func address(_ byte: UInt8) -> EthereumAddress { Sample.address(byte) }
        #expect(
            rows == [
                "Order:", " price: 123456789", " change: -77", " open: true", " maker: \(address(0xB2))",
                " key: 0xc3c3c3c3",
                " blob: 0xd4d4d4d4d4d4", " terms: 'all of it'", " items: a list of 2", "  0:",
                "   token: \(address(0xE5))", "   label: 'first'", "  1:", "   token: \(address(0xF6))",
                "   label: 'second'",
                " table: a list of 3", "  0: a list of 2", "   0: 201", "   1: 202", "  1: a list of 0",
                "  2: a list of 1",
                "   0: 203", " none: a list of 0", "meant for:", " name: 'A market'", " version: 'v7'",
                " chainId: 31337",
                " verifyingContract: \(address(0xA1))", " salt: 0x\(String(repeating: "5a", count: 32))",
            ])
    }

    @Test("for programs there is the same, with text as it is signed")
    func json() throws {
        let json = try data(Self.everything.replacing("all of it", with: #"a\u202eb"#)).json
        #expect(json["primary_type"] == "Order")
        #expect(json["domain"]?["salt"]?.string == "0x" + String(repeating: "5a", count: 32))
        #expect(json["domain"]?["chainId"] == "31337")
        let message = try #require(json["message"])
        #expect(message["price"] == "123456789" && message["change"] == "-77" && message["open"]?.bool == true)
        #expect(message["terms"] == "a\u{202E}b" && message["none"] == [])
        #expect(message["items"]?.array?[1]["label"] == "second")
        #expect(message["table"] == [["201", "202"], [], ["203"]])
        #expect(message.object?.names.count == 10 && json["domain"]?.object?.names.count == 5)
    }

    private func intent(_ value: String, type: String = "string") throws -> SigningWork {
        let document = Array(KnownTypedData.single(type, value).utf8)
        let accounts = try Accounts(
            taproot: TaprootAccount(groupKey: .generator, network: .regtest),
            segwit: SegwitAccount(groupKey: .generator, network: .regtest),
            ethereum: EthereumAccounts(groupKey: .generator))
        return try SigningWork(
            of: .typedData(try TypedData(decoding: document), document: document, account: 0), for: accounts)
    }

    @Test("a text is shown to its end, or the data is refused")
    func cut() throws {
        let limit = EthereumLimits.shownMessageCharacters
        func text(_ count: Int) -> String { "\"" + String(repeating: "a", count: count - 1) + "z\"" }
        let whole = try intent(text(limit))
        #expect(whole.intent.refusals.isEmpty && !whole.requests.isEmpty)
        guard case .typedData(let data, _, _) = whole.payload else { return #expect(Bool(false)) }
        #expect(data.lines.contains { $0.text.hasSuffix("az'") })
        let cut = try intent(text(limit + 1))
        #expect(cut.intent.refusals.map(\.name) == ["cut_text"] && cut.requests.isEmpty)
    }

    @Test("more than a person reads is refused, however short each text is")
    func tooMuch() throws {
        let limit = WalletLimits.shownDataCharacters
        for (type, value, count) in [("bool[]", "true", limit / 8), ("string[]", "\"\"", limit / 6)] {
            let list = "[" + Array(repeating: value, count: count).joined(separator: ",") + "]"
            #expect(try intent(list, type: type).intent.refusals.map(\.name) == ["cut_text"])
        }
        let bytes = "\"0x" + String(repeating: "00", count: limit / 2) + "\""
        #expect(try intent(bytes, type: "bytes").intent.refusals.map(\.name) == ["cut_text"])
        #expect(
            try intent("\"0x" + String(repeating: "00", count: limit / 4) + "\"", type: "bytes").intent.refusals.isEmpty
        )
    }

    @Test(
        "what is odd about a text in typed data is costly, as in a message, and says where it is",
        arguments: [
            ("a\u{202E}b", ["cannot be seen", "right to left"]), ("раypal", ["mixes letters"]),
            ("a\u{200B}b", ["cannot be seen"]),
            ("a" + String(repeating: " ", count: 60) + "b", ["many blanks"]), ("\u{338}", ["more marks"]),
            ("one\ntwo", []),
        ])
    func odd(text: String, findings: [String]) throws {
        let value = JSON.string(text).text
        let found = try intent(value).intent.findings.filter { $0.name == "odd_text" }
        #expect(found.count == findings.count && found.allSatisfy { $0.weight == .costly && $0.text.contains("'a'") })
        for (finding, words) in zip(found, findings) { #expect(finding.text.contains(words)) }
        // In a list of structures, and in the domain.
        let nested = Self.everything.replacing("\"second\"", with: value)
        #expect(try data(nested).findings.map(\.name) == found.map(\.name))
        let domain = Self.everything.replacing("\"A market\"", with: value)
        #expect(try data(domain).findings.map(\.name) == found.map(\.name))
    }
}
