import Bitcoin
import Curves
import DisplayText
import Encoding
import Ethereum
import EthereumTestSupport
import HDKeys
import Testing

@testable import Wallet

@Suite("Findings about typed data")
struct TypedDataFindingTests {
    private func data(_ document: String) throws -> TypedData { try TypedData(decoding: Array(document.utf8)) }

    private func intent(_ value: String, type: String = "string") throws -> SigningWork {
        let document = Array(KnownTypedData.single(type, value).utf8)
        let accounts = try Accounts(
            taproot: TaprootAccount(groupKey: .generator, network: .regtest),
            segwit: SegwitAccount(groupKey: .generator, network: .regtest),
            ethereum: EthereumAccounts(groupKey: .generator))
        return try SigningWork(
            of: .typedData(try TypedData(decoding: document), document: document, account: 0), for: accounts)
    }

    @Test("a text is shown completely, or the data are refused")
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

    @Test("more lines than a person reads are refused, however short each text is")
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
        "an odd text in typed data is a costly finding, as in a message, and names its place",
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
        let nested = KnownTypedData.everything.replacing("\"second\"", with: value)
        #expect(try data(nested).findings.map(\.name) == found.map(\.name))
        let domain = KnownTypedData.everything.replacing("\"A market\"", with: value)
        #expect(try data(domain).findings.map(\.name) == found.map(\.name))
    }
}
