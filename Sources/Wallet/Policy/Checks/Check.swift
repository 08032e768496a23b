/// One thing to look at before signing: gives a finding where something is wrong.
///
/// The checks hold for everybody. What a person or a company wants beyond them stands in a ``Policy``.
public struct Check: Sendable {
    /// Returns the findings about an intent in a context.
    ///
    /// - Returns: nothing where all is well.
    public let findings: @Sendable (Intent, PolicyContext) -> [Finding]

    init(_ findings: @escaping @Sendable (Intent, PolicyContext) -> [Finding]) { self.findings = findings }

    /// A check of each effect for itself.
    init(each finding: @escaping @Sendable (Effect, Intent, PolicyContext) -> Finding?) {
        findings = { intent, context in intent.effects.compactMap { finding($0, intent, context) } }
    }

    /// All of them.
    public static let all: [Check] = [
        .amount, .recipient, .poisoning, .firstPayment, .firstAllowance, .tokenContract, .unlimitedAllowance, .control,
        .unknown,
        .delegation, .balance, .fee, .largeFee, .furtherFee, .simulation,
    ]
}

extension Intent {
    /// The intent with what the checks find.
    public func checked(in context: PolicyContext, by checks: [Check] = Check.all) -> Intent {
        adding(checks.flatMap { $0.findings(self, context) })
    }
}
