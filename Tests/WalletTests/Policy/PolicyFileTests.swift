import Foundation
import TestSupport
import Testing

@testable import Wallet

@Suite("Policy files")
struct PolicyFileTests {
    private static let rule = #"{"name": "a", "then": "allow"}"#

    private static func file(_ rules: String, _ more: String = "") -> [UInt8] {
        Array(#"{"version": 1, \#(more) "rules": [\#(rules)]}"#.utf8)
    }

    private func place(_ bytes: [UInt8]) -> String? {
        do {
            _ = try Policy(file: bytes)
            return nil
        } catch { return error.place }
    }

    @Test("the documented file is read")
    func documentation() throws {
        let page = try String(
            contentsOfFile: "\(Repository.path)/docs/formats/policy.md", encoding: .utf8)
        let example = try #require(
            page.split(separator: "```json\n").dropFirst().first?.split(separator: "```").first)
        let policy = try Policy(file: Array(example.utf8))
        #expect(policy.rules.map(\.name) == ["small change", "friends", "large", "new people"])
        #expect(policy.rules.last?.outcome == .delay(seconds: 86_400))
        #expect(policy.approvers.keys.sorted() == ["anna"])
    }

    @Test("the documentation names every finding that a policy may match, and no others")
    func documentedRemarks() throws {
        let page = try String(
            contentsOfFile: "\(Repository.path)/docs/formats/policy.md", encoding: .utf8)
        let section = try #require(
            page.components(separatedBy: "## Findings\n").last?.components(separatedBy: "\n## ").first)
        let rows = section.split(separator: "\n").filter { $0.hasPrefix("| `") }
        let names = rows.compactMap { $0.split(separator: "|").first }.flatMap { cell in
            cell.split(separator: "`").enumerated().filter { $0.offset % 2 == 1 }.map {
                String($0.element)
            }
        }
        #expect(names.count == Set(names).count)
        #expect(Set(names) == Finding.names)
    }

    @Test("a mistake is reported with its position")
    func mistakes() {
        let cases: [(String, String)] = [
            (#"{"version": 2, "rules": []}"#, "version"),
            (#"{"rules": []}"#, ""),
            (#"{"version": 1, "rules": [], "rule": []}"#, "rule"),
            (#"{"version": 1, "version": 1, "rules": []}"#, ""),
            (#"{"version": 1, "rules": {}}"#, "rules"),
            (#"[]"#, ""),
            (#"{"version": 1, "rules": []} x"#, ""),
        ]
        for (text, expected) in cases { #expect(place(Array(text.utf8)) == expected, "\(text)") }
    }

    @Test(
        "a JSON error names its line and character",
        arguments: [
            (
                "{\n \"é\": ,}",
                "it is not strict JSON: unexpected text at line 2, character 7"
            ),
            ("{\"a\": 1,\n\"a\": 2}", "the name at line 2, character 1 is there twice"),
            ("{}\n\n x", "it is not strict JSON: something follows the end, at line 3, character 2"),
            ("{\"a\": ", "it is not strict JSON: it ends too early, at line 1, character 7"),
        ])
    func syntax(text: String, problem: String) throws {
        #expect(throws: PolicyFault("", problem)) { try Policy(file: Array(text.utf8)) }
    }

    @Test(
        "names in a policy are shown as they are, or refused; a place in a file is on one line, whatever names are in it"
    )
    func names() {
        let key = String(repeating: "11", count: 32)
        func place(_ text: String) -> String? {
            do throws(PolicyFault) {
                _ = try Policy(file: Array(text.utf8))
                return nil
            } catch { return error.place }
        }
        func approver(_ name: String) -> String? {
            place(#"{"version": 1, "approvers": {"\#(name)": "\#(key)"}, "rules": []}"#)
        }
        #expect(approver("anna") == nil)
        #expect(approver(#"anna\n  pays"#) == "approvers.anna<U+000A><U+0020*2>pays")
        #expect(approver("an  na") == "approvers.an<U+0020*2>na")
        #expect(approver("") == "approvers.")
        #expect(place(#"{"version": 1, "rules": [], "a\nb": 1}"#) == "a<U+000A>b")
    }

    @Test(
        "a rule that cannot mean what it says is refused where it says it",
        arguments: [
            (#"{"name": "a", "then": "alow"}"#, "rules[0].then"),
            (#"{"name": "a"}"#, "rules[0]"),
            (#"{"name": "", "then": "allow"}"#, "rules[0].name"),
            (#"{"name": "a   b", "then": "allow"}"#, "rules[0].name"),
            (#"{"name": "a‮b", "then": "allow"}"#, "rules[0].name"),
            (#"{"name": "a", "then": "allow", "when": {}}"#, "rules[0].when"),
            (#"{"name": "a", "then": "allow", "if": {"amount": 1}}"#, "rules[0].if.amount"),
            (#"{"name": "a", "then": "allow", "if": {"chain": "ethereum:0"}}"#, "rules[0].if.chain"),
            (#"{"name": "a", "then": "allow", "if": {"chain": "ethereum:01"}}"#, "rules[0].if.chain"),
            (#"{"name": "a", "then": "allow", "if": {"chain": []}}"#, "rules[0].if.chain"),
            (
                #"{"name": "a", "then": "allow", "if": {"effect": ["payment", "gift"]}}"#,
                "rules[0].if.effect[1]"
            ),
            (#"{"name": "a", "then": "allow", "if": {"asset": "ETH"}}"#, "rules[0].if.asset"),
            (
                #"{"name": "a", "then": "allow", "if": {"asset": "ETH@bitcoin:mainnet"}}"#,
                "rules[0].if.asset"
            ),
            (#"{"name": "a", "then": "allow", "if": {"to": "nobody"}}"#, "rules[0].if.to"),
            (
                #"{"name": "a", "then": "allow", "if": {"to": "0x52908400098527886E0F7030069857D2E4169Ee7"}}"#,
                "rules[0].if.to"
            ),
            (#"{"name": "a", "then": "allow", "if": {"at_most": "1.5 SAT"}}"#, "rules[0].if.at_most"),
            (
                #"{"name": "a", "then": "allow", "if": {"at_most": "1,5 ETH@ethereum:1"}}"#,
                "rules[0].if.at_most"
            ),
            (
                #"{"name": "a", "then": "allow", "if": {"at_most": "1.123456789 BTC@bitcoin:mainnet"}}"#,
                "rules[0].if.at_most"
            ),
            (
                #"{"name": "a", "then": "allow", "if": {"at_most": "-1 ETH@ethereum:1"}}"#,
                "rules[0].if.at_most"
            ),
            (#"{"name": "a", "then": "allow", "if": {"known": "yes"}}"#, "rules[0].if.known"),
            (#"{"name": "a", "then": "allow", "if": {"fee_at_most": "1 T"}}"#, "rules[0].if.fee_at_most"),
            (#"{"name": "a", "then": "allow", "if": {"remark": "zero_address"}}"#, "rules[0].if.remark"),
            (
                #"{"name": "a", "then": "allow", "if": {"spent_at_most": {"amount": "1 ETH@ethereum:1", "within": "1y"}}}"#,
                "rules[0].if.spent_at_most.within"
            ),
            (
                #"{"name": "a", "then": "allow", "if": {"spent_at_most": {"amount": "1 ETH@ethereum:1"}}}"#,
                "rules[0].if.spent_at_most"
            ),
            (#"{"name": "a", "then": {"delay": "0s"}}"#, "rules[0].then.delay"),
            (#"{"name": "a", "then": {"delay": 5}}"#, "rules[0].then.delay"),
            (#"{"name": "a", "then": {}}"#, "rules[0].then"),
            (#"{"name": "a", "then": {"delay": "1h", "approvals": 1, "of": ["anna"]}}"#, "rules[0].then"),
            (#"{"name": "a", "then": {"approvals": 1, "of": ["carl"]}}"#, "rules[0].then.of"),
            (#"{"name": "a", "then": {"approvals": 2, "of": ["anna"]}}"#, "rules[0].then.approvals"),
            (#"{"name": "a", "then": {"approvals": 0, "of": ["anna"]}}"#, "rules[0].then.approvals"),
            (#"{"name": "a", "then": {"approvals": 1, "of": ["anna", "anna"]}}"#, "rules[0].then.of"),
            (#"{"name": "a", "then": "allow"}, {"name": "a", "then": "deny"}"#, "rules"),
        ])
    func rules(text: String, expected: String) {
        let approver =
            #""approvers": {"anna": "\#(String(repeating: "aa", count: 32))"}, "assets": {"T": {"chain": "ethereum:1", "contract": "0x52908400098527886E0F7030069857D2E4169EE7", "decimals": 18}},"#
        #expect(
            place(Self.file(Self.rule.replacingOccurrences(of: "\"a\"", with: "\"first\""), approver))
                == nil)
        #expect(place(Self.file(text, approver)) == expected)
    }

    @Test(
        "names of assets, lists and approvers are checked where they are made",
        arguments: [
            (
                #""assets": {"ETH": {"chain": "ethereum:1", "contract": "0x52908400098527886E0F7030069857D2E4169EE7", "decimals": 18}},"#,
                "assets.ETH"
            ),
            (
                #""assets": {"T": {"chain": "bitcoin:mainnet", "contract": "0x52908400098527886E0F7030069857D2E4169EE7", "decimals": 18}},"#,
                "assets.T.chain"
            ),
            (
                #""assets": {"T": {"chain": "ethereum:1", "contract": "0x5290", "decimals": 18}},"#,
                "assets.T.contract"
            ),
            (
                #""assets": {"T": {"chain": "ethereum:1", "contract": "0x52908400098527886E0F7030069857D2E4169EE7", "decimals": 37}},"#,
                "assets.T.decimals"
            ),
            (#""lists": {"Friends": []},"#, "lists.Friends"),
            (#""lists": {"friends": ["anna"]},"#, "lists.friends[0]"),
            (#""approvers": {"anna": "aa"},"#, "approvers.anna"),
            // One person who would count twice.
            (
                #""approvers": {"anna": "\#(String(repeating: "aa", count: 32))", "ben": "\#(String(repeating: "aa", count: 32))"},"#,
                "approvers.ben"
            ),
        ])
    func terms(text: String, expected: String) {
        #expect(place(Self.file(Self.rule, text)) == expected)
    }

    @Test("reading a policy ends, for any bytes")
    func fuzz() {
        let approvers = #""approvers": {"anna": "\#(String(repeating: "aa", count: 32))"},"#
        let seeds = [
            Self.file(Self.rule),
            Self.file(#"{"name": "b", "then": {"approvals": 1, "of": "anna"}}"#, approvers),
            Self.file(
                #"{"name": "b", "if": {"spent_at_most": {"amount": "0.5 ETH@ethereum:1", "within": "24h"}}, "then": {"delay": "7d"}}"#
            ),
        ]
        Fuzz.mutations(of: seeds) { bytes in _ = try? Policy(file: bytes) }
        for seed in seeds { #expect(place(seed) == nil) }
    }
}
