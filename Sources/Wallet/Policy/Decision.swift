/// A policy's decision on an intent, with the reasons.
public struct Decision: Equatable, Sendable {
    /// The verdicts, from the mildest to the strictest.
    public enum Verdict: Hashable, Sendable {
        /// The intent may be signed.
        case allowed
        /// The intent may be signed from this time on, in seconds since 1970.
        case notBefore(UInt64)
        /// This number of approvals is still missing.
        case needsApproval(missing: Int)
        /// The intent must not be signed.
        case denied
    }

    /// A limit that an intent exceeds.
    public struct Limit: Equatable, Sendable {
        /// The rule that has the limit.
        public let rule: String
        /// The numbers, as an English clause: the amount, what is left of the limit, and when there is room.
        public let reason: String

        /// Creates a limit.
        public init(rule: String, reason: String) { (self.rule, self.reason) = (rule, reason) }
    }

    /// The policy's finding about one effect, or about the whole intent.
    public struct Finding: Equatable, Sendable {
        /// The effect; nil if the finding is about the whole intent.
        public let effect: Effect?
        /// The rule that matches; nil if no rule does, or if no policy could allow it.
        public let rule: String?
        /// The policy's verdict on the effect.
        public let verdict: Verdict
        /// The reason, as an English clause.
        public let reason: String
        /// The earlier rules, each with the reason why it does not match.
        public let passed: [String]
        /// The earlier rules whose limit on an amount or a fee the intent exceeds: they would have decided otherwise.
        public let limits: [Limit]

        /// Creates a finding.
        public init(
            effect: Effect?, rule: String?, verdict: Verdict, reason: String, passed: [String] = [],
            limits: [Limit] = []
        ) {
            self.limits = limits
            self.effect = effect
            self.rule = rule
            self.verdict = verdict
            self.reason = reason
            self.passed = passed
        }
    }

    /// The findings: those about the whole intent first, then one for each effect.
    public let findings: [Finding]

    /// Creates the decision of these findings.
    public init(findings: [Finding]) { self.findings = findings }

    /// The strictest verdict among the findings. An intent without findings is denied.
    public var verdict: Verdict { findings.map(\.verdict).max(by: Self.isMilder) ?? .denied }

    private static func isMilder(_ one: Verdict, _ other: Verdict) -> Bool {
        switch (one, other) {
        case (.notBefore(let left), .notBefore(let right)): left < right
        case (.needsApproval(let left), .needsApproval(let right)): left < right
        default: rank(one) < rank(other)
        }
    }

    private static func rank(_ verdict: Verdict) -> Int {
        switch verdict {
        case .allowed: 0
        case .notBefore: 1
        case .needsApproval: 2
        case .denied: 3
        }
    }
}
