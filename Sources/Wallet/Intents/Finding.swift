/// Something about an intent that a person or a policy should know.
public struct Finding: Hashable, Sendable {
    /// What follows from a finding.
    public enum Weight: Hashable, Sendable {
        /// It is shown.
        case notice
        /// Something is lost if this is a mistake: no script confirms it unseen.
        case costly
        /// It is not signed, whoever confirms it.
        case refusal
    }

    /// What policies and programs call it: words joined by `_`.
    public let name: String
    /// A clause of English without a full stop.
    public let text: String
    /// How serious the finding is.
    public let weight: Weight

    /// Creates a finding.
    public init(_ name: String, _ text: String, _ weight: Weight) {
        self.name = name
        self.text = text
        self.weight = weight
    }

    /// The names of all notices and warnings: what a policy may ask for. Refusals are none of its business.
    public static let names: Set<String> = [
        "high_fee_share", "high_fee_rate", "low_fee_rate", "unknown_script", "unspendable", "dust", "far_index",
        "unknown_fields", "foreign_input", "unverified_amount", "unusual_sighash", "replaceable", "locked",
        "relative_lock", "first_payment", "contract_recipient", "unlimited_allowance", "control", "unknown_call",
        "unknown_statement", "delegation", "delegation_ended", "high_fee", "would_fail", "blob", "no_chain", "odd_text",
        "not_text", "hash_sized", "repeated", "nonce_jump", "decimals_from_node", "one_case",
        "recently_paid", "replaces", "further_fee", "unknown_chain", "transfer_data", "large_fee", "high_index", "data",
        "first_allowance", "other_network",
    ]
}
