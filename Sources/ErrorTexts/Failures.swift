package import DisplayText
package import Texts
package import Wallet

extension Failure {
    /// The failure of costly findings that must be accepted by name because no question is asked.
    ///
    /// - Parameter confirmation: the given confirmation, which is not sufficient.
    package static func notAccepted(_ costs: [Finding], by confirmation: String) -> Failure {
        var names: [String] = []
        for cost in costs where !names.contains(cost.name) { names.append(cost.name) }
        return Failure(
            code: .refused, name: "needs_confirmation",
            message: "not signed with \(confirmation): \(costs.map(\.text).joined(separator: "; "))",
            hint: "to accept this, add --accept \(names.joined(separator: ","))")
    }
}

/// The details of a transaction in a failure: members of its JSON beside `error`.
package struct SigningDetails: Encodable {
    /// The identifier or hash of the signed transaction. It may be mined despite the failure.
    package var id: String?
    /// The intent to sign, as it was shown, if it was known. Programs show it, and repeat the command with its digest.
    package var intent: (any Encodable & Sendable)?

    private enum Key: String, CodingKey { case id, intent }

    package func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Key.self)
        try members.encodeIfPresent(id, forKey: .id)
        if let intent { try members.encode(intent, forKey: .intent) }
    }
}

extension Failure {
    /// - Parameter id: the identifier or hash of the signed transaction.
    package init(
        code: Code, name: String, message: String, hint: String? = nil, quoted: SanitizedText? = nil, id: String?
    ) {
        self.init(
            code: code, name: name, message: message, hint: hint, quoted: quoted,
            details: SigningDetails(id: id))
    }

    /// Adds the details of a failure during or after signing.
    package func after(signing id: String, _ intent: (any Encodable & Sendable)?) -> Failure {
        var failure = self
        failure.details = SigningDetails(id: id, intent: intent)
        return failure
    }

    /// Adds the details of a failure before signing.
    package func before(signing intent: any Encodable & Sendable) -> Failure {
        var failure = self
        failure.details = SigningDetails(id: (details as? SigningDetails)?.id, intent: intent)
        return failure
    }
}
