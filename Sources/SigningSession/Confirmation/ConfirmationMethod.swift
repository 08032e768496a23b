public import Wallet

/// The way in which a person confirms a payment, a message or a sweep.
public enum ConfirmationMethod: Equatable, Sendable {
    /// The person is shown everything with all findings, and is asked. A yes accepts all costly findings.
    case question
    /// The person confirmed before anything was shown. Costly findings are accepted only by name.
    case advance(accepting: AcceptedFindings)
    /// The person, or a program, confirms the intent with this digest, which was shown before. A program may confirm
    /// every digest that it is shown, so costly findings are accepted only by name here, too.
    case digest([UInt8], accepting: AcceptedFindings)

    /// Whether the person is asked after everything was shown.
    public var isQuestion: Bool { self == .question }

    /// Returns the costly findings that the method does not accept.
    ///
    /// - Parameters:
    ///   - costs: the costly findings, as from `Intent.costs(besides:)`.
    ///   - planned: the findings that are accepted by every method.
    public func unaccepted(
        among costs: [Finding], besides planned: AcceptedFindings = .none
    ) -> [Finding] {
        switch self {
        case .question: []
        case .advance(let accepted), .digest(_, let accepted):
            costs.filter { !accepted.union(planned).names.contains($0.name) }
        }
    }
}
