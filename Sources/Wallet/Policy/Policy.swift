internal import Amounts

/// What may be signed: rules in their order, of which the first that fits an effect decides on it. What no rule fits is denied.
///
/// A policy is a file that a person writes: see ``init(file:)``. It is checked before anything is signed; what refuses an intent
/// for everybody (see ``Check``) it cannot allow.
public struct Policy: Equatable, Sendable {
    /// The rules in their order.
    public let rules: [PolicyRule]
    /// Who may approve, by their names: Ed25519 keys of 32 bytes.
    public let approvers: [String: [UInt8]]
    /// The tokens that it names, with their decimals: what the person has said of them once.
    public let tokens: Set<PolicyAsset>

    /// Creates a policy of these rules.
    public init(rules: [PolicyRule], approvers: [String: [UInt8]] = [:], tokens: Set<PolicyAsset> = []) {
        self.tokens = tokens
        self.rules = rules
        self.approvers = approvers
    }

    /// The policy of a wallet that has no file: everything whose meaning is known may be signed once the person confirms it.
    public static let standard = Policy(rules: [
        PolicyRule(
            name: "what nobody can read", conditions: [.kind([.call, .statement, .delegation, .deployment])],
            outcome: .deny),
        PolicyRule(name: "what you confirm", conditions: [], outcome: .allow),
    ])

    /// Decides on an intent, and says why.
    public func decide(on intent: Intent, in context: PolicyContext) -> Decision {
        var findings = intent.refusals.map {
            Decision.Finding(effect: nil, rule: nil, verdict: .denied, reason: $0.text)
        }
        for effect in intent.effects {
            findings.append(finding(on: PolicyCase(effect: effect, intent: intent, context: context)))
        }
        return Decision(findings: findings)
    }

    private func finding(on subject: PolicyCase) -> Decision.Finding {
        var passed: [String] = []
        for rule in rules {
            if let reason = rule.mismatch(with: subject) ?? unboundedReach(of: subject, under: rule) {
                passed.append("\(rule.name): \(reason)")
                continue
            }
            let (verdict, reason) = rule.outcome.verdict(on: subject)
            return Decision.Finding(
                effect: subject.effect, rule: rule.name, verdict: verdict, reason: reason, passed: passed)
        }
        return Decision.Finding(
            effect: subject.effect, rule: nil, verdict: .denied, reason: "no rule allows it", passed: passed)
    }

    /// Why a rule does not fit what is good on every chain, where it counts against no limit: in a policy with limits, only a
    /// rule fits it that names this very thing. Nil where that is no question.
    private func unboundedReach(of subject: PolicyCase, under rule: PolicyRule) -> String? {
        guard subject.isBoundToNoChain, rule.outcome != .deny, rules.contains(where: \.hasLimit), !rule.namesNoChain
        else { return nil }
        return "it names no chain, and would count against no limit"
    }
}

/// One effect of an intent, and all that a rule may look at to judge it.
public struct PolicyCase: Sendable {
    /// The effect to be judged.
    public let effect: Effect
    /// The intent that has the effect.
    public let intent: Intent
    /// What is known beside the bytes.
    public let context: PolicyContext

    /// Whether it is a permission that is good on every chain. Messages, and data that nobody can read, are none.
    var isBoundToNoChain: Bool { intent.chain == nil && ![.message, .statement].contains(effect.kind) }

    /// How much of an asset the whole intent gives away in effects of this kind, so that a payment in two halves is no smaller
    /// than one; nil where that is without limit, and where the effect is of another asset.
    ///
    /// Of the coin the highest fee is in it: a limit that let any fee through would let everything be burned. Where others pay a
    /// part of the fee, all of it counts nevertheless: what they pay in, nothing here proves.
    func amount(of asset: PolicyAsset) -> UInt256? { sum(of: asset, \.amount) }

    /// Returns how much of an asset the whole intent adds to what others get or may take. Of an increased allowance that is the
    /// increase: the earlier part was counted when it was signed.
    func given(of asset: PolicyAsset) -> UInt256? { sum(of: asset, \.given) }

    /// The highest fee, with the reserve for a further fee of the chain that a node tells. Nil if signing costs no fee.
    var fee: UInt256? {
        guard let highest = intent.highestFee else { return nil }
        return (try? highest.adding(context.node?.furtherFee.reserve ?? .zero)) ?? .maximum
    }

    private func sum(of asset: PolicyAsset, _ part: (Effect) -> UInt256?) -> UInt256? {
        guard asset.counts(effect, on: intent.chain) else { return nil }
        var sum = asset.asset == .coin ? fee ?? .zero : .zero
        for other in intent.effects where other.kind == effect.kind && other.asset == effect.asset {
            guard let amount = part(other), let next = try? sum.adding(amount) else { return nil }
            sum = next
        }
        return sum
    }
}
