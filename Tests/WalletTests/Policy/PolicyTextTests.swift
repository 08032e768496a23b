internal import Amounts
import HDKeys
import TestSupport
import Testing

@testable import Wallet

@Suite("Policies in words")
struct PolicyTextTests {
    private static let ether = PolicyAsset(name: "ETH", chain: Sample.mainnet, asset: .coin, decimals: .ether)

    private func text(_ rule: String, _ more: String = "") throws -> String {
        try #require(Policy(file: Array(#"{"version": 1, \#(more) "rules": [\#(rule)]}"#.utf8)).rules.first).description
    }

    @Test("the text of a rule has its name, its outcome, and each of its conditions")
    func rules() throws {
        #expect(try text(#"{"name": "all", "then": "allow"}"#) == "all: allow, whatever it is")
        #expect(
            try text(
                #"""
                {"name": "small", "then": "deny", "if": {"effect": ["payment", "call"], "at_most": "0.5 ETH@ethereum:1"}}
                """#)
                == "small: deny, if it is of the kind call or payment, and it is at most 0.5 ETH@ethereum:1 with the fee"
        )
        let people =
            #""approvers": {"anna": "\#(String(repeating: "1a", count: 32))", "ben": "\#(String(repeating: "2b", count: 32))"},"#
        #expect(
            try text(#"{"name": "a", "then": {"approvals": 1, "of": ["anna", "ben"]}}"#, people)
                == "a: ask 1 of anna, ben to approve it, whatever it is")
        #expect(
            try text(#"{"name": "a", "then": {"approvals": 2, "of": ["anna", "ben"]}}"#, people)
                == "a: ask anna and ben to approve it, whatever it is")
        #expect(try text(#"{"name": "a", "then": {"delay": "24h"}}"#) == "a: wait 24 h, whatever it is")
    }

    @Test(
        "a condition and its opposite, and limits in different units, never read alike",
        arguments: [
            (PolicyCondition.known(true), "the payee is known"),
            (.known(false), "the payee is new"),
            (.unlimited(true), "it is an allowance without limit"),
            (.unlimited(false), "it is an allowance that has a limit"),
            (.to([Sample.friend]), "it goes to 0x5252525252525252525252525252525252525252"),
            (.notTo([Sample.friend]), "it does not go to 0x5252525252525252525252525252525252525252"),
            (.chain([.bitcoin(.regtest), Sample.mainnet]), "it is on bitcoin:regtest or ethereum:1"),
            (.asset([ether]), "it is of ETH@ethereum:1"),
            (.atMost(1, ether), "it is at most 0.000000000000000001 ETH@ethereum:1 with the fee"),
            (
                .spentAtMost(UInt256(2_000_000_000_000_000_000), ether, seconds: 604_800),
                "it is at most 2 ETH@ethereum:1 with the fee and all that was signed in 7 d before"
            ),
            (.feeAtMost(1_000, .bitcoin(.mainnet)), "the fee is at most 0.00001 BTC@bitcoin:mainnet"),
            (.finding(["dust"]), "there is a finding dust"),
        ])
    func conditions(condition: PolicyCondition, words: String) {
        #expect(condition.description == words)
    }

    @Test("a time is shown in the largest unit that fits exactly")
    func durations() {
        for (seconds, words) in [
            (0, "0 s"), (90, "90 s"), (120, "2 min"), (3_600, "60 min"), (7_200, "2 h"), (86_400, "24 h"),
            (90_000, "25 h"), (604_800, "7 d"), (604_801, "604801 s"),
        ] as [(UInt64, String)] {
            #expect(DurationText.words(seconds) == words)
        }
    }

    @Test("a time is shown to the minute, rounded up")
    func minutes() {
        for (time, text) in [
            (0, "1970-01-01 00:00 UTC"), (1, "1970-01-01 00:01 UTC"), (86_399, "1970-01-02 00:00 UTC"),
            (951_782_400, "2000-02-29 00:00 UTC"), (951_868_800, "2000-03-01 00:00 UTC"),
            (1_795_788_000, "2026-11-27 14:00 UTC"), (4_102_444_799, "2100-01-01 00:00 UTC"),
        ] as [(UInt64, String)] {
            #expect(DurationText.minute(time) == text)
        }
        for time in [UInt64.max, UInt64.max - 59, 1 << 60] { #expect(DurationText.minute(time) == nil) }
    }
}
