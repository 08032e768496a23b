internal import DisplayText
internal import Terminal
internal import Wallet

// What a person, or a rule, did not let happen.
extension Failure {
    /// Costly findings take a yes by name where no one is asked.
    ///
    /// - Parameter confirmation: what was given, and is not enough.
    static func notAccepted(_ costs: [Finding], by confirmation: String) -> Failure {
        var names: [String] = []
        for cost in costs where !names.contains(cost.name) { names.append(cost.name) }
        return Failure(
            code: .refused, name: "needs_confirmation",
            message: "not signed with \(confirmation): \(costs.map(\.text).joined(separator: "; "))",
            hint: "if it is meant, add --accept \(names.joined(separator: ","))")
    }

    /// Nothing would be signed: an earlier payment that did the same is at hand, and nobody knows whether it arrived.
    ///
    /// - Parameter payment: what it is called.
    static func wouldBeSentAgain(_ payment: String) -> Failure {
        Failure(
            code: .refused, name: "earlier_payment",
            message: "\(payment) was signed before, and may not have arrived: without --dry-run it is looked up "
                + "before anything is signed, and handed to the node once more if that does not have it")
    }

    static func declined() -> Failure {
        Failure(code: .refused, name: "declined", message: "not signed: you did not confirm")
    }

    static func notRenewed() -> Failure {
        Failure(code: .refused, name: "declined", message: "nothing was changed: you did not confirm")
    }
}

/// What a failure says of a transaction: members of its JSON beside `error`.
struct SigningDetails: Encodable {
    /// The transaction's identifier or hash, where it is signed: it may be mined, whatever went wrong then.
    var id: String?
    /// What was to be signed, where that was known: programs show it, and come back with its digest.
    var intent: IntentView?
}

extension Failure {
    /// - Parameter id: the identifier or hash of the transaction that is signed.
    init(
        code: Code, name: String, message: String, hint: String? = nil, quoted: SanitizedText? = nil, id: String?
    ) {
        self.init(
            code: code, name: name, message: message, hint: hint, quoted: quoted,
            details: SigningDetails(id: id))
    }

    /// What went wrong when this was signed.
    func after(signing id: String, _ intent: IntentView?) -> Failure {
        var failure = self
        failure.details = SigningDetails(id: id, intent: intent)
        return failure
    }

    /// What went wrong before this was signed.
    func before(signing intent: IntentView) -> Failure {
        var failure = self
        failure.details = SigningDetails(id: (details as? SigningDetails)?.id, intent: intent)
        return failure
    }
}
