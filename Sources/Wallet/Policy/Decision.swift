/// What a policy says to an intent, and why.
public struct Decision: Equatable, Sendable {
    /// From the mildest to the strictest.
    public enum Verdict: Hashable, Sendable {
        /// The intent may be signed.
        case allowed
        /// From this time on, in seconds since 1970.
        case notBefore(UInt64)
        /// Approvals that are still missing.
        case needsApproval(missing: Int)
        /// The intent must not be signed.
        case denied
    }

    /// What was found about one effect, or about the whole intent.
    public struct Finding: Equatable, Sendable {
        /// Nil where it is about the whole intent.
        public let effect: Effect?
        /// The rule that fits. Nil where none does, and where no policy could allow it.
        public let rule: String?
        /// What the policy says to the effect.
        public let verdict: Verdict
        /// A clause of English.
        public let reason: String
        /// The rules before it, each with why it does not fit.
        public let passed: [String]

        /// Creates a finding.
        public init(effect: Effect?, rule: String?, verdict: Verdict, reason: String, passed: [String] = []) {
            self.effect = effect
            self.rule = rule
            self.verdict = verdict
            self.reason = reason
            self.passed = passed
        }
    }

    /// First what is about the whole intent, then one for each effect.
    public let findings: [Finding]

    /// Creates the decision of these findings.
    public init(findings: [Finding]) { self.findings = findings }

    /// The strictest of what was found. An intent about which nothing was found is denied.
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
