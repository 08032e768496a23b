/// One thing to look at before signing: gives a remark where something is wrong.
///
/// The checks hold for everybody. What a person or a company wants beyond them stands in a ``Policy``.
public struct Check: Sendable {
    /// Returns the remarks about an intent in a situation.
    ///
    /// - Returns: nothing where all is well.
    public let remarks: @Sendable (Intent, Situation) -> [Remark]

    init(_ remarks: @escaping @Sendable (Intent, Situation) -> [Remark]) { self.remarks = remarks }

    /// A check of each effect for itself.
    init(each remark: @escaping @Sendable (Effect, Intent, Situation) -> Remark?) {
        remarks = { intent, situation in intent.effects.compactMap { remark($0, intent, situation) } }
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
    public func checked(in situation: Situation, by checks: [Check] = Check.all) -> Intent {
        adding(checks.flatMap { $0.remarks(self, situation) })
    }
}
