internal import Amounts
import Ethereum
import Foundation
import TestSupport
import Testing

@testable import Wallet

@Suite("Policies limit fees")
struct PolicyFeeTests {
    private static let tenth = UInt256(100_000_000_000_000_000)

    private func policy(_ rules: String) throws -> Policy {
        let assets = #""assets": {"USDC": {"chain": "ethereum:1", "contract": "\#(Sample.token)", "decimals": 6}}"#
        let approver = String(repeating: "07", count: 32)
        return try Policy(
            file: Array(
                #"{"version": 1, \#(assets), "approvers": {"anna": "\#(approver)"}, "rules": [\#(rules)]}"#.utf8))
    }

    private func verdict(
        _ condition: String, on intent: Intent, _ history: [SignedEffect] = []
    ) throws -> Decision.Verdict {
        try policy(#"{"name": "rule", "if": {\#(condition)}, "then": "allow"}"#)
            .decide(on: intent, in: Sample.context(history: history)).verdict
    }

    @Test("the highest fee counts for the limits of its coin, to the last unit", arguments: [false, true])
    func coin(_ isOverTime: Bool) throws {
        let limit =
            isOverTime
            ? #""spent_at_most": {"amount": "0.3 ETH@ethereum:1", "within": "24h"}"#
            : #""at_most": "0.3 ETH@ethereum:1""#
        let two = try Self.tenth.multiplied(by: 2)
        #expect(try verdict(limit, on: Sample.intent(Sample.payment(two), fee: Self.tenth)) == .allowed)
        #expect(try verdict(limit, on: Sample.intent(Sample.payment(two), fee: try Self.tenth.adding(1))) == .denied)
        #expect(try verdict(limit, on: Sample.intent(Sample.payment(1), fee: .maximum)) == .denied)
        // In two payments the fee counts once.
        let halves = Sample.intent(Sample.payment(Self.tenth), Sample.payment(Self.tenth), fee: Self.tenth)
        #expect(try verdict(limit, on: halves) == .allowed)
    }

    @Test(
        "a further fee that a node tells counts with the highest one, twice, as it is set aside",
        arguments: [
            #""fee_at_most": "0.3 ETH@ethereum:1""#,
            #""fee_at_most": {"amount": "0.3 ETH@ethereum:1", "within": "24h"}"#,
        ])
    func furtherFee(limit: String) throws {
        func verdict(_ limit: String, _ fee: UInt256, _ further: FurtherFee?) throws -> Decision.Verdict {
            let node = further.map {
                NodeView(balance: .maximum, expectedFee: nil, contracts: [], failure: nil, furtherFee: $0)
            }
            return try policy(#"{"name": "rule", "if": {\#(limit)}, "then": "allow"}"#)
                .decide(on: Sample.intent(Sample.payment(1), fee: fee), in: Sample.context(node: node)).verdict
        }
        let more = try Self.tenth.adding(1)
        #expect(try verdict(limit, Self.tenth, .now(Self.tenth)) == .allowed)
        #expect(try verdict(limit, Self.tenth, .now(more)) == .denied)
        #expect(try verdict(limit, more, .now(Self.tenth)) == .denied)
        #expect(try verdict(limit, 1, .now(.maximum)) == .denied)
        #expect(try verdict(limit, .maximum, .now(1)) == .denied)
        for further in [FurtherFee.none, .untold, .possible, nil] {
            #expect(try verdict(limit, Self.tenth, further) == .allowed)
        }
        // In the limits of the coin as well.
        let coin = #""at_most": "0.300000000000000001 ETH@ethereum:1""#
        #expect(try verdict(coin, Self.tenth, .now(Self.tenth)) == .allowed)
        #expect(try verdict(coin, more, .now(Self.tenth)) == .denied)
    }

    @Test("a limit of tokens counts tokens, and a limit of the coin does not allow them")
    func tokens() throws {
        let tokens = Sample.intent(Sample.payment(5, of: .token(Sample.token)), fee: Self.tenth)
        #expect(try verdict(#""at_most": "1 USDC""#, on: tokens) == .allowed)
        #expect(try verdict(#""at_most": "1 USDC", "fee_at_most": "0.09 ETH@ethereum:1""#, on: tokens) == .denied)
        #expect(try verdict(#""at_most": "1 USDC", "fee_at_most": "0.1 ETH@ethereum:1""#, on: tokens) == .allowed)
        #expect(try verdict(#""at_most": "1 ETH@ethereum:1""#, on: tokens) == .denied)
        #expect(try verdict(#""at_most": "1 ETH@ethereum:1""#, on: Sample.intent(.nothing, fee: 1)) == .denied)
    }

    @Test("a limit of fees over time includes earlier fees on the same chain, and no payments")
    func window() throws {
        let limit = #""fee_at_most": {"amount": "0.3 ETH@ethereum:1", "within": "24h"}"#
        func past(_ age: UInt64, _ chain: Chain = Sample.mainnet, isFee: Bool = true) -> SignedEffect {
            SignedEffect(time: 1_000_000 - age, chain: chain, asset: .coin, amount: Self.tenth, isFee: isFee)
        }
        let intent = Sample.intent(.nothing, fee: Self.tenth)
        #expect(try verdict(limit, on: intent, [past(1), past(2)]) == .allowed)
        #expect(try verdict(limit, on: intent, [past(1), past(2), past(86_400)]) == .denied)
        #expect(try verdict(limit, on: intent, [past(1), past(2), past(86_401)]) == .allowed)
        #expect(try verdict(limit, on: intent, [past(1), past(2), past(3, isFee: false)]) == .allowed)
        #expect(try verdict(limit, on: intent, [past(1), past(2), past(3, .ethereum(.sepolia))]) == .allowed)
        #expect(try verdict(limit, on: Sample.intent(.nothing, fee: 1, chain: .ethereum(.sepolia))) == .denied)
        #expect(try verdict(limit, on: Sample.intent(.nothing, fee: nil)) == .denied)
        let text = try policy(#"{"name": "rule", "if": {\#(limit)}, "then": "allow"}"#).rules.first?.description
        #expect(
            text
                == "rule: allow, if the fee is at most 0.3 ETH@ethereum:1, with those of all that was signed in 24 h before"
        )
        for wrong in [
            #"{"amount": "1 USDC", "within": "24h"}"#, #"{"amount": "1 ETH@ethereum:1"}"#,
            #"{"amount": "1 ETH@ethereum:1", "within": "24h", "more": 1}"#, #""1 USDC""#, "1",
        ] {
            #expect(throws: PolicyFault.self) {
                try policy(#"{"name": "rule", "if": {"fee_at_most": \#(wrong)}, "then": "allow"}"#)
            }
        }
    }

    @Test("rules that allow any fee are found: reachable ones without a bound that need no approver")
    func unbounded() throws {
        let window = #"{"amount": "1 ETH@ethereum:1", "within": "24h"}"#
        for (condition, then, isOpen) in [
            (#""effect": "payment""#, #""allow""#, true), ("", #""allow""#, true),
            (#""effect": "payment""#, #"{"delay": "1h"}"#, true), (#""at_most": "1 USDC""#, #""allow""#, true),
            (#""effect": "nothing""#, #""allow""#, true), (#""effect": ["message", "call"]"#, #""allow""#, true),
            (#""remark": ["no_chain", "high_fee"]"#, #""allow""#, true),
            (#""effect": "payment""#, #""deny""#, false),
            (#""effect": "payment""#, #"{"approvals": 1, "of": ["anna"]}"#, false),
            (#""at_most": "1 ETH@ethereum:1""#, #""allow""#, false),
            (#""spent_at_most": \#(window)"#, #""allow""#, false),
            (#""fee_at_most": "1 ETH@ethereum:1""#, #""allow""#, false),
            (#""fee_at_most": \#(window)"#, #""allow""#, false),
            (#""effect": ["message", "statement"]"#, #""allow""#, false),
            (#""remark": "no_chain""#, #""allow""#, false),
        ] {
            let rule = #"{"name": "rule", "if": {\#(condition)}, "then": \#(then)}"#
            #expect(try policy(rule).rulesWithoutFeeBound.map(\.name) == (isOpen ? ["rule"] : []), "\(rule)")
            // After a rule without conditions it is never reached.
            let behind = try policy(#"{"name": "all", "then": "deny"}, \#(rule)"#)
            #expect(behind.rulesWithoutFeeBound.isEmpty)
        }
        #expect(Policy.standard.rulesWithoutFeeBound.map(\.name) == ["what you confirm"])
    }
}
