/// Something about an intent that the user or a policy should know.
public struct Finding: Hashable, Sendable {
    /// The consequence of a finding.
    public enum Weight: Hashable, Sendable {
        /// The finding is shown.
        case notice
        /// Something is lost if this is a mistake: a script cannot confirm it unseen.
        case costly
        /// The intent is never signed, even if the user confirms it.
        case refusal
    }

    /// The finding's name in policies and programs: words joined by `_`.
    public let name: String
    /// The finding as an English clause without a full stop.
    public let text: String
    /// How serious the finding is.
    public let weight: Weight

    /// Creates a finding.
    public init(_ name: String, _ text: String, _ weight: Weight) {
        self.name = name
        self.text = text
        self.weight = weight
    }

    /// The names of all notices and costly findings, which a policy may use. No policy decides on refusals.
    public static let names: Set<String> = [
        "high_fee_share", "high_fee_rate", "low_fee_rate", "unknown_script", "unspendable", "dust", "far_index",
        "unknown_fields", "foreign_input", "unverified_amount", "unusual_sighash", "replaceable", "locked",
        "relative_lock", "first_payment", "contract_recipient", "unlimited_allowance", "control", "unknown_call",
        "unknown_statement", "delegation", "delegation_ended", "high_fee", "would_fail", "blob", "no_chain", "odd_text",
        "not_text", "hash_sized", "repeated", "nonce_jump", "decimals_from_node", "one_case",
        "node_syncing", "no_history",
        "recently_paid", "replaces", "unconfirmed_change", "further_fee", "unknown_chain", "transfer_data", "large_fee",
        "high_index", "data",
        "first_allowance", "other_network",
    ]
}
