internal import Amounts
internal import DisplayText
internal import Ethereum
internal import HDKeys
import Testing
import Wallet

@Suite("Policies")
struct PolicyTests {
    /// Returns the decision of a policy with this single rule.
    private func verdict(
        _ conditions: String, then outcome: String = "\"allow\"", on intent: Intent,
        in context: PolicyContext = Sample.context()
    ) throws -> Decision.Verdict {
        try decision(conditions, then: outcome, on: intent, in: context).verdict
    }

    private func decision(
        _ conditions: String, then outcome: String = "\"allow\"", on intent: Intent,
        in context: PolicyContext = Sample.context()
    ) throws -> Decision {
        let file = """
            {"version": 1, "assets": {"USDC": {"chain": "ethereum:1", "contract": "\(Sample.token)", "decimals": 6}},
             "lists": {"friends": ["\(Sample.friend)"]},
             "approvers": {"anna": "\(String(repeating: "aa", count: 32))", "ben": "\(String(repeating: "bb", count: 32))"},
             "rules": [{"name": "the rule", "if": {\(conditions)}, "then": \(outcome)}]}
            """
        return try Policy(file: Array(file.utf8)).decide(on: intent, in: context)
    }

    @Test("an effect without a matching rule is denied, and so is an intent without effects")
    func denyByDefault() throws {
        #expect(
            Policy(rules: []).decide(on: Sample.intent(Sample.payment(1)), in: Sample.context()).verdict
                == .denied)
        #expect(try verdict("", on: Sample.intent()) == .denied)
        #expect(try verdict("", on: Sample.intent(Sample.payment(1))) == .allowed)
    }

    @Test("the first matching rule decides")
    func order() {
        let allow = PolicyRule(name: "a", conditions: [], outcome: .allow)
        let deny = PolicyRule(name: "b", conditions: [], outcome: .deny)
        let intent = Sample.intent(Sample.payment(1))
        #expect(
            Policy(rules: [allow, deny]).decide(on: intent, in: Sample.context()).verdict == .allowed)
        #expect(
            Policy(rules: [deny, allow]).decide(on: intent, in: Sample.context()).verdict == .denied)
    }

    @Test("the strictest decision over all effects is the decision for the intent")
    func strictest() throws {
        let intent = Sample.intent(Sample.payment(1), Sample.payment(1, to: Sample.stranger))
        #expect(try verdict("\"to\": \"friends\"", on: intent) == .denied)
    }

    @Test("no policy allows a refusal")
    func refusal() throws {
        let intent = Sample.intent(Sample.payment(1), findings: [Finding("bad", "it is bad", .refusal)])
        #expect(try verdict("", on: intent) == .denied)
        #expect(try decision("", on: intent).findings.first?.reason == "it is bad")
    }

    @Test("without a file, readable intents are allowed, and others are not")
    func standard() {
        func verdict(_ effect: Effect) -> Decision.Verdict {
            Policy.standard.decide(on: Sample.intent(effect), in: Sample.context()).verdict
        }
        #expect(verdict(Sample.payment(1)) == .allowed)
        #expect(verdict(.allowance(.token(Sample.token), amount: nil, to: Sample.stranger)) == .allowed)
        #expect(verdict(.nothing) == .allowed)
        #expect(verdict(.message(SanitizedText("hello", limit: 10, lines: .one))) == .allowed)
        #expect(verdict(.call(Sample.token, selector: [1, 2, 3, 4])) == .denied)
        #expect(
            verdict(.statement(type: SanitizedText("Order", limit: 10, lines: .one), for: nil)) == .denied)
        #expect(verdict(.delegation(to: Sample.token)) == .denied)
        #expect(verdict(.deployment) == .denied)
    }

    @Test("a condition on a property that an effect lacks does not match")
    func absent() throws {
        let message = Sample.intent(.message(SanitizedText("hello", limit: 10, lines: .one)), fee: nil)
        for condition in [
            "\"to\": \"friends\"", "\"not_to\": \"friends\"", "\"known\": true", "\"known\": false",
            "\"at_most\": \"5 ETH@ethereum:1\"", "\"asset\": \"USDC\"", "\"unlimited\": false",
            "\"fee_at_most\": \"1 ETH@ethereum:1\"", "\"remark\": \"dust\"",
            "\"spent_at_most\": {\"amount\": \"5 ETH@ethereum:1\", \"within\": \"1d\"}",
        ] {
            #expect(try verdict(condition, on: message) == .denied, "\(condition)")
        }
    }

    @Test("each condition matches its own property only")
    func conditions() throws {
        let half = Sample.payment(UInt256(500_000_000_000_000_000))
        let tokens = Sample.payment(2_000_000_000, of: .token(Sample.token))
        let fits: [(String, Intent, Bool)] = [
            ("\"chain\": \"ethereum:1\"", Sample.intent(half), true),
            ("\"chain\": [\"ethereum:10\", \"bitcoin:mainnet\"]", Sample.intent(half), false),
            ("\"effect\": [\"payment\"]", Sample.intent(half), true),
            ("\"effect\": \"allowance\"", Sample.intent(half), false),
            ("\"asset\": \"ETH@ethereum:1\"", Sample.intent(half), true),
            ("\"asset\": \"ETH@ethereum:10\"", Sample.intent(half), false),
            ("\"asset\": \"USDC\"", Sample.intent(tokens), true),
            ("\"asset\": \"USDC\"", Sample.intent(half), false),
            ("\"asset\": \"USDC\"", Sample.intent(tokens, chain: .ethereum(.sepolia)), false),
            ("\"not_to\": \"friends\"", Sample.intent(Sample.payment(1, to: Sample.stranger)), true),
            ("\"not_to\": \"friends\"", Sample.intent(half), false),
            ("\"known\": true", Sample.intent(half), true),
            ("\"known\": true", Sample.intent(Sample.payment(1, to: Sample.stranger)), false),
            ("\"known\": false", Sample.intent(Sample.payment(1, to: Sample.stranger)), true),
            ("\"at_most\": \"0.5 ETH@ethereum:1\"", Sample.intent(half), true),
            ("\"at_most\": \"0.499999999999999999 ETH@ethereum:1\"", Sample.intent(half), false),
            ("\"at_most\": \"2000 USDC\"", Sample.intent(tokens), true),
            ("\"at_most\": \"1999.999999 USDC\"", Sample.intent(tokens), false),
            (
                "\"fee_at_most\": \"0.000000001 ETH@ethereum:1\"", Sample.intent(half, fee: 1_000_000_000),
                true
            ),
            (
                "\"fee_at_most\": \"0.000000001 ETH@ethereum:1\"", Sample.intent(half, fee: 1_000_000_001),
                false
            ),
            ("\"fee_at_most\": \"1 ETH@ethereum:1\"", Sample.intent(half, fee: nil), false),
            (
                "\"unlimited\": true",
                Sample.intent(.allowance(.token(Sample.token), amount: nil, to: Sample.friend)),
                true
            ),
            (
                "\"unlimited\": false",
                Sample.intent(.allowance(.token(Sample.token), amount: nil, to: Sample.friend)),
                false
            ),
            ("\"remark\": \"dust\"", Sample.intent(half, findings: [Finding("dust", "x", .notice)]), true),
        ]
        for (condition, intent, fit) in fits {
            #expect(try verdict(condition, on: intent) == (fit ? .allowed : .denied), "\(condition)")
        }
    }

    @Test(
        "nobody is known where nobody has looked, and somebody for whom something was only signed is not either"
    )
    func unknown() throws {
        let intent = Sample.intent(Sample.payment(1))
        for context in [
            Sample.context(known: nil), Sample.context(known: [], chosen: [Sample.friend]),
        ] {
            #expect(try verdict("\"known\": true", on: intent, in: context) == .denied)
            #expect(try verdict("\"known\": false", on: intent, in: context) == .allowed)
        }
        let passed = try decision("\"known\": true", on: intent, in: Sample.context(known: nil))
            .findings.first?
            .passed
        #expect(passed == ["the rule: without the wallet's book no payee is known"])
    }

    @Test(
        "a payment in parts is no smaller than in one, and an unlimited allowance is below no bound")
    func whole() throws {
        let half = Sample.payment(UInt256(300_000_000_000_000_000))
        let bound = "\"at_most\": \"0.5 ETH@ethereum:1\""
        #expect(try verdict(bound, on: Sample.intent(half)) == .allowed)
        #expect(try verdict(bound, on: Sample.intent(half, half)) == .denied)
        let unlimited = Sample.intent(.allowance(.token(Sample.token), amount: nil, to: Sample.friend))
        #expect(try verdict("\"at_most\": \"1000000 USDC\"", on: unlimited) == .denied)
        let huge = Sample.payment(.maximum)
        #expect(try verdict(bound, on: Sample.intent(huge, huge)) == .denied)
        // Also where each part goes to another payee.
        #expect(
            try verdict(
                bound, on: Sample.intent(half, Sample.payment(half.amount ?? .zero, to: Sample.stranger)))
                == .denied)
        // A fee of another chain does not fit any bound of this one.
        let sepolia = Sample.intent(half, chain: .ethereum(.sepolia))
        #expect(try verdict("\"fee_at_most\": \"1 ETH@ethereum:1\"", on: sepolia) == .denied)
    }

    @Test("an increase is below no amount, since its total is unknown; over time the increase counts")
    func increase() throws {
        let more = Sample.intent(.increase(.token(Sample.token), by: 5, to: Sample.friend))
        #expect(try verdict(#""at_most": "1000000 USDC""#, on: more) == .denied)
        #expect(
            try decision(#""at_most": "1000000 USDC""#, on: more).findings.first?.passed
                == ["the rule: it increases an allowance, whose total is not known here"])
        #expect(try verdict(#""unlimited": false"#, on: more) == .denied)
        #expect(try verdict(#""unlimited": true"#, on: more) == .allowed)
        // Together with an allowance that has an amount, the sum has none.
        let both = Sample.intent(
            .allowance(.token(Sample.token), amount: 5, to: Sample.friend),
            .increase(.token(Sample.token), by: 5, to: Sample.friend))
        #expect(try verdict(#""at_most": "1000000 USDC""#, on: both) == .denied)
        let day = #""spent_at_most": {"amount": "0.00001 USDC", "within": "24h"}"#
        #expect(try verdict(day, on: more) == .allowed)
        #expect(try verdict(day, on: both) == .allowed)
        func past(_ amount: UInt256) -> PolicyContext {
            Sample.context(history: [
                SignedEffect(time: 999_999, chain: Sample.mainnet, asset: .token(Sample.token), amount: amount)
            ])
        }
        #expect(try verdict(day, on: more, in: past(5)) == .allowed)
        #expect(try verdict(day, on: more, in: past(6)) == .denied)
        #expect(try verdict(day, on: both, in: past(1)) == .denied)
        let less = Sample.intent(.decrease(.token(Sample.token), by: .maximum, to: Sample.stranger))
        #expect(try verdict(#""at_most": "0 USDC""#, on: less) == .allowed)
        #expect(try verdict(#""unlimited": false"#, on: less) == .allowed)
        #expect(try verdict(day, on: less, in: past(10)) == .allowed)
    }

    @Test(
        "a limit over time counts what was signed before, on the same chain and of the same asset only")
    func rolling() throws {
        let limit = "\"spent_at_most\": {\"amount\": \"2 ETH@ethereum:1\", \"within\": \"24h\"}"
        let one = Sample.intent(Sample.payment(Sample.ether))
        func past(_ age: Int, _ asset: Asset = .coin, _ chain: Chain = Sample.mainnet) -> SignedEffect {
            SignedEffect(time: UInt64(1_000_000 - age), chain: chain, asset: asset, amount: Sample.ether)
        }
        func verdict(_ history: [SignedEffect]) throws -> Decision.Verdict {
            try self.verdict(limit, on: one, in: Sample.context(history: history))
        }
        #expect(try verdict([]) == .allowed)
        #expect(try verdict([past(100)]) == .allowed)
        #expect(try verdict([past(100), past(200)]) == .denied)
        #expect(try verdict([past(100), past(86_400)]) == .denied)
        #expect(try verdict([past(100), past(86_401)]) == .allowed)
        #expect(
            try verdict([past(100), past(1, .token(Sample.token)), past(1, .coin, .ethereum(.sepolia))])
                == .allowed)
        // A sum beyond all numbers exceeds the limit.
        let most = SignedEffect(time: 1_000_000, chain: Sample.mainnet, asset: .coin, amount: .maximum)
        #expect(try verdict([most]) == .denied)
        // Signed while the clock was ahead: it counts.
        #expect(try verdict([past(100), past(-5_000)]) == .denied)
    }

    @Test(
        "a refusal by a limit states the amount, the remainder, and when it fits",
        arguments: [
            ([], "it is 3 ETH with the fee, more than 2 ETH in 24 h", 3),
            (
                [600],
                "it is 2 ETH with the fee, and 1 ETH is left of 2 ETH in 24 h: there is room for it in 23 h 51 min", 2
            ),
            (
                [600, 82_800],
                "it is 1 ETH with the fee, and nothing is left of 2 ETH in 24 h: there is room for it in 1 h 1 min", 1
            ),
            // Both have to leave the window: the younger one decides.
            (
                [86_399, 86_340],
                "it is 2 ETH with the fee, and nothing is left of 2 ETH in 24 h: there is room for it in 1 min 1 s", 2
            ),
        ] as [([Int], String, Int)])
    func numbers(ages: [Int], reason: String, amount: Int) throws {
        let past = ages.map {
            SignedEffect(time: UInt64(1_000_000 - $0), chain: Sample.mainnet, asset: .coin, amount: Sample.ether)
        }
        let intent = Sample.intent(Sample.payment(try Sample.ether.multiplied(by: UInt256(UInt64(amount)))), fee: .zero)
        let found = try decision(
            #""spent_at_most": {"amount": "2 ETH@ethereum:1", "within": "24h"}"#, on: intent,
            in: Sample.context(history: past))
        #expect(found.findings.map(\.passed) == [["the rule: \(reason)"]])
    }

    @Test("a refusal names the payments that use up a limit, the largest first, and until when each counts")
    func uses() throws {
        func past(_ age: UInt64, _ tenths: UInt64, _ id: String?, cancelled: Bool = false) throws -> SignedEffect {
            SignedEffect(
                time: 1_000_000 - age, chain: Sample.mainnet, asset: .coin,
                amount: try UInt256(100_000_000_000_000_000).multiplied(by: UInt256(tenths)),
                source: id.map { SignedEffect.Source(id: $0, isCancelled: cancelled) })
        }
        let limit = #""spent_at_most": {"amount": "2 ETH@ethereum:1", "within": "24h"}"#
        let intent = Sample.intent(Sample.payment(Sample.ether), fee: .zero)
        let history = [
            try past(600, 4, "0x4ac1b2c3d4e5f6"), try past(300, 1, "0x4ac1b2c3d4e5f6"),
            try past(7_200, 6, "0x5bd2c3d4e5f6a7", cancelled: true), try past(100, 3, nil),
        ]
        let found = try #require(try decision(limit, on: intent, in: Sample.context(history: history)).findings.first)
        let reason =
            "it is 1 ETH with the fee, and 0.6 ETH is left of 2 ETH in 24 h: there is room for it in 22 h 1 min; 0.6 ETH is "
            + "reserved by the cancelled payment 0x5bd2c3d4 until 1970-01-13 11:47 UTC; 0.5 ETH is reserved by the payment "
            + "0x4ac1b2c3 until 1970-01-13 13:42 UTC"
        #expect(found.limits == [Decision.Limit(rule: "the rule", reason: reason)])
        // More than three are counted, and not named.
        let many = try (0..<9).map { try past(UInt64($0), 2, "id\($0)-and-more-digits") }
        let last = try decision(limit, on: intent, in: Sample.context(history: many)).findings.first?.limits.first?
            .reason
        #expect(last?.matches(of: /reserved by/).count == 3)
        #expect(last?.hasSuffix("; and 6 more") == true)
        // A rule that does not fit for another reason limits nothing.
        let other = try decision(#""effect": "message""#, on: intent, in: Sample.context())
        #expect(other.findings.first?.limits == [])
    }

    @Test("the initial policy is read, and has the requested rules")
    func draft() throws {
        let delayed = PolicyDraft(
            chain: .bitcoin(.mainnet), daily: 10_000_000, highestFee: 500_000, larger: .delay("36h"))
        let policy = try Policy(file: delayed.file)
        #expect(
            policy.rules.map(\.description) == [
                "small payments: allow, if it is of the kind payment, and it is on bitcoin:mainnet, and "
                    + "it is at most 0.1 BTC@bitcoin:mainnet with the fee and all that was signed in 24 h before, and "
                    + "the fee is at most 0.005 BTC@bitcoin:mainnet",
                "larger payments: wait 36 h, if it is of the kind payment, and it is on bitcoin:mainnet, and "
                    + "it is of BTC@bitcoin:mainnet, and the fee is at most 0.005 BTC@bitcoin:mainnet",
                "messages: allow, if it is of the kind message",
            ])
        #expect(policy.rulesWithoutFeeBound.isEmpty)
        let key = [UInt8](repeating: 7, count: 32)
        let approved = PolicyDraft(
            chain: .ethereum(.sepolia), daily: Sample.ether, highestFee: 1,
            larger: .approvals([("anna", key), ("ben", key)]))
        #expect(throws: PolicyFault.self) { try Policy(file: approved.file) }
        let one = PolicyDraft(
            chain: .ethereum(.sepolia), daily: Sample.ether, highestFee: 1, larger: .approvals([("anna", key)]))
        #expect(try Policy(file: one.file).approvers == ["anna": key])
        // Any text that a person types stays a text in the file.
        let odd = PolicyDraft(chain: .ethereum(.sepolia), daily: 1, highestFee: 1, larger: .delay("1h\", \"x\": \""))
        #expect(throws: PolicyFault.self) { try Policy(file: odd.file) }
    }

    @Test("effects without a chain, which count for no limit, need a rule that names exactly them")
    func noChain() throws {
        let allowance = Effect.allowance(.token(Sample.token), amount: 5, to: Sample.friend)
        let unbound = Sample.intent(
            allowance, fee: nil, chain: nil, findings: [Finding("no_chain", "x", .costly)])
        let limit = PolicyRule(
            name: "small",
            conditions: [
                .atMost(5, PolicyAsset(name: "ETH", chain: Sample.mainnet, asset: .coin, decimals: .ether))
            ],
            outcome: .allow)
        let window = PolicyRule(
            name: "daily",
            conditions: [
                .spentAtMost(
                    5, PolicyAsset(name: "ETH", chain: Sample.mainnet, asset: .coin, decimals: .ether),
                    seconds: 60)
            ], outcome: .allow)
        let rest = PolicyRule(name: "rest", conditions: [], outcome: .allow)
        let friends = PolicyRule(
            name: "friends", conditions: [.to([Sample.friend])],
            outcome: .approval(count: 1, of: ["anna"]))
        let named = PolicyRule(name: "named", conditions: [.finding(["no_chain"])], outcome: .allow)
        let refusal = PolicyRule(name: "none", conditions: [], outcome: .deny)
        func decision(_ intent: Intent, _ rules: PolicyRule...) -> Decision {
            Policy(rules: rules).decide(on: intent, in: Sample.context(approvers: ["anna"]))
        }
        for bound in [limit, window] {
            let decision = decision(unbound, bound, friends, rest)
            #expect(decision.verdict == .denied)
            #expect(
                decision.findings.first?.passed.last
                    == "rest: it names no chain, and would count against no limit")
        }
        #expect(decision(unbound, limit, named).verdict == .allowed)
        #expect(decision(unbound, limit, refusal, named).findings.first?.rule == "none")
        // Without limits nothing is evaded; on a chain the effect counts; an effect without value needs no such rule.
        #expect(decision(unbound, friends).verdict == .allowed)
        #expect(decision(Sample.intent(allowance), limit, rest).verdict == .allowed)
        let hello = Effect.message(SanitizedText("hello", limit: 10, lines: .one))
        #expect(decision(Sample.intent(hello, fee: nil, chain: nil), limit, rest).verdict == .allowed)
    }

    @Test("approvals are counted by approver, and only from the named approvers")
    func approvals() throws {
        let rule = "{\"approvals\": 2, \"of\": [\"anna\", \"ben\"]}"
        let intent = Sample.intent(Sample.payment(1))
        func verdict(_ approvers: Set<String>) throws -> Decision.Verdict {
            try self.verdict("", then: rule, on: intent, in: Sample.context(approvers: approvers))
        }
        #expect(try verdict([]) == .needsApproval(missing: 2))
        #expect(try verdict(["anna"]) == .needsApproval(missing: 1))
        #expect(try verdict(["anna", "carl"]) == .needsApproval(missing: 1))
        #expect(try verdict(["anna", "ben"]) == .allowed)
        // Beside an allowed effect, missing approvals stay missing.
        let other = PolicyRule(name: "other", conditions: [.kind([.nothing])], outcome: .allow)
        let asked = PolicyRule(
            name: "asked", conditions: [], outcome: .approval(count: 1, of: ["anna"]))
        let late = PolicyRule(
            name: "late", conditions: [.kind([.message])], outcome: .delay(seconds: 60))
        let policy = Policy(rules: [other, late, asked])
        let hello = Effect.message(SanitizedText("hello", limit: 10, lines: .one))
        for effects in [
            [Effect.nothing, Sample.payment(1), hello], [hello, Sample.payment(1), .nothing],
        ] {
            let whole = Sample.intent(effects[0], effects[1], effects[2])
            #expect(
                policy.decide(on: whole, in: Sample.context()).verdict == .needsApproval(missing: 1))
        }
    }

    @Test("a delay counts from the first proposal of the same intent")
    func delay() throws {
        let intent = Sample.intent(Sample.payment(1))
        func verdict(_ proposed: UInt64?) throws -> Decision.Verdict {
            try self.verdict(
                "", then: "{\"delay\": \"1h\"}", on: intent, in: Sample.context(proposed: proposed))
        }
        #expect(try verdict(nil) == .notBefore(1_003_600))
        #expect(try verdict(996_401) == .notBefore(1_000_001))
        #expect(try verdict(996_400) == .allowed)
        // At the highest time it waits forever.
        let last = Sample.context(now: .max - 1, proposed: .max - 1)
        #expect(
            try self.verdict("", then: "{\"delay\": \"1h\"}", on: intent, in: last) == .notBefore(.max))
    }

    @Test("a decision names the rule, and why earlier rules do not match")
    func explanation() throws {
        let decision = try decision(
            "\"to\": \"friends\"", on: Sample.intent(Sample.payment(1, to: Sample.stranger)))
        #expect(decision.findings.map(\.reason) == ["no rule allows it"])
        #expect(
            decision.findings.first?.passed == ["the rule: its payee is not on the list"])
        #expect(
            try self.decision("", on: Sample.intent(Sample.payment(1))).findings.first?.rule == "the rule"
        )
    }
}
