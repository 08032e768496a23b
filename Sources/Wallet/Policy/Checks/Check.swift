/// One check before signing: gives a finding if something is wrong.
///
/// The checks hold for every wallet. A ``Policy`` has the rules that a user or a company wants beyond them.
public struct Check: Sendable {
    /// Returns the findings about an intent in a context.
    ///
    /// - Returns: an empty list if all is well.
    public let findings: @Sendable (Intent, PolicyContext) -> [Finding]

    init(_ findings: @escaping @Sendable (Intent, PolicyContext) -> [Finding]) { self.findings = findings }

    /// Makes a check that examines each effect separately.
    init(each finding: @escaping @Sendable (Effect, Intent, PolicyContext) -> Finding?) {
        findings = { intent, context in intent.effects.compactMap { finding($0, intent, context) } }
    }

    /// All checks.
    public static let all: [Check] = [
        .amount, .recipient, .poisoning, .firstPayment, .firstAllowance, .tokenContract, .unlimitedAllowance, .control,
        .unknown,
        .delegation, .balance, .fee, .largeFee, .furtherFee, .simulation,
    ]
}

extension Intent {
    /// Returns the intent with the findings of the checks.
    public func checked(in context: PolicyContext, by checks: [Check] = Check.all) -> Intent {
        adding(checks.flatMap { $0.findings(self, context) })
    }
}
