/// The text that names a wallet for a person.
enum WalletTitle {
    /// Returns the label with the own name, or the own name alone. The label is not sealed, so the own name is always
    /// shown.
    static func text(_ name: String, _ label: String?) -> String {
        label.map { "\($0) (own name: \(name))" } ?? name
    }
}
