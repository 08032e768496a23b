internal import Amounts

/// The rules of a wallet, in order. The first rule that matches an effect decides on it; an effect that no rule matches
/// is denied.
///
/// A policy is a file that the user writes: see ``init(file:)``. It is checked before anything is signed, and cannot
/// allow what every ``Check`` refuses.
public struct Policy: Equatable, Sendable {
    /// The rules in their order.
    public let rules: [PolicyRule]
    /// The approvers by name: Ed25519 public keys of 32 bytes.
    public let approvers: [String: [UInt8]]
    /// The tokens that it names, with the decimals that the user gave.
    public let tokens: Set<PolicyAsset>

    /// Creates a policy of these rules.
    public init(rules: [PolicyRule], approvers: [String: [UInt8]] = [:], tokens: Set<PolicyAsset> = []) {
        self.tokens = tokens
        self.rules = rules
        self.approvers = approvers
    }

    /// The policy of a wallet without a policy file: every effect with a known meaning may be signed once the user
    /// confirms it.
    public static let standard = Policy(rules: [
        PolicyRule(
            name: "unreadable data", conditions: [.kind([.call, .statement, .delegation, .deployment])],
            outcome: .deny),
        PolicyRule(name: "what you confirm", conditions: [], outcome: .allow),
    ])

    /// Decides on an intent, with reasons.
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
        var limits: [Decision.Limit] = []
        for rule in rules {
            if let mismatch = rule.mismatch(with: subject) ?? unboundedReach(of: subject, under: rule) {
                passed.append("\(rule.name): \(mismatch.reason)")
                if mismatch.isLimit { limits.append(Decision.Limit(rule: rule.name, reason: mismatch.reason)) }
                continue
            }
            let (verdict, reason) = rule.outcome.verdict(on: subject)
            return Decision.Finding(
                effect: subject.effect, rule: rule.name, verdict: verdict, reason: reason, passed: passed,
                limits: limits)
        }
        return Decision.Finding(
            effect: subject.effect, rule: nil, verdict: .denied, reason: "no rule allows it", passed: passed,
            limits: limits)
    }

    /// Returns why a rule does not match an effect that is valid on every chain, where it counts against no limit. In a
    /// policy with limits, only a rule that names such effects matches it. Nil if this does not apply.
    private func unboundedReach(of subject: PolicyCase, under rule: PolicyRule) -> PolicyRule.Mismatch? {
        guard subject.isBoundToNoChain, rule.outcome != .deny, rules.contains(where: \.hasLimit), !rule.namesNoChain
        else { return nil }
        return PolicyRule.Mismatch(reason: "it names no chain, and would count against no limit", isLimit: false)
    }
}

/// One effect of an intent, with everything that a rule may examine.
public struct PolicyCase: Sendable {
    /// The effect to be judged.
    public let effect: Effect
    /// The intent that has the effect.
    public let intent: Intent
    /// The data beside the bytes.
    public let context: PolicyContext

    /// Whether it is a permission that is valid on every chain. Messages, files, and data with an unknown meaning, are
    /// not permissions.
    var isBoundToNoChain: Bool { intent.chain == nil && ![.message, .statement, .file].contains(effect.kind) }

    /// Returns how much of an asset the whole intent gives away in effects of this kind, so that two halves of a
    /// payment count like one; nil if that is unlimited, or the effect is of another asset.
    ///
    /// For the coin it includes the highest fee: otherwise a limit would let everything be burned as fees. It counts as
    /// a whole even if others pay a part of it, because nothing here proves their inputs.
    func amount(of asset: PolicyAsset) -> UInt256? { sum(of: asset, \.amount) }

    /// Returns how much more of an asset others get, or may take, because of the whole intent. An
    /// increased allowance counts with its increase: the earlier part was counted when it was signed.
    func given(of asset: PolicyAsset) -> UInt256? { sum(of: asset, \.given) }

    /// The highest fee, with the reserve for a further fee that a node reports; nil if signing costs no fee.
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
