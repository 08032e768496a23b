internal import SecureStorage

/// The description of an item's key: a prefix, the length of the service, the service and the account. No two names have
/// the same description.
struct KeyDescription: Sendable {
    let prefix: String

    func text(of name: ItemName) -> String { "\(prefix):\(name.service.utf8.count):\(name.service):\(name.account)" }

    /// Returns the name of an item's key; nil for other descriptions.
    func name(in text: Substring) -> ItemName? {
        guard text.hasPrefix("\(prefix):") else { return nil }
        let parts = text.dropFirst(prefix.count + 1).split(
            separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let length = Int(parts[0]), (1...255).contains(length) else { return nil }
        let rest = parts[1].utf8
        guard rest.count > length, let service = String(rest.prefix(length)),
            let account = String(rest.dropFirst(length)), account.hasPrefix(":"),
            let name = try? ItemName(service: service, account: String(account.dropFirst()))
        else { return nil }
        // Only this spelling, so that a key is loaded by the name that it is listed with.
        return self.text(of: name) == text ? name : nil
    }
}
