internal import Encoding
internal import SecureStorage

/// The place of one record of an item: the item's name and the record's own slot.
///
/// The `kSecAttrAccount` is the account of the name, a space, and the slot in 16 hexadecimal digits. Names contain no
/// space. Each save draws a slot, so that two records of one name, also of two processes, never have the same key.
struct KeychainPlace: Equatable, Sendable {
    /// The part of a record.
    enum Role: String, Sendable {
        /// The record with the secret.
        case value = ""
        /// A record without a secret. It shows that the system destroyed the value if the value is missing.
        case witness = " witness"
    }

    let name: ItemName
    let slot: UInt64
    let role: Role

    init(_ name: ItemName, slot: UInt64, role: Role) {
        self.name = name
        self.slot = slot
        self.role = role
    }

    /// The `kSecAttrAccount`.
    var account: String { "\(name.account) \(Hex.encode(slot.bigEndianBytes))\(role.rawValue)" }

    /// Reads a place. Nil if the account is not exactly one that ``account`` writes.
    init?(service: String, decoding account: String) {
        let parts = account.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let first = parts.first, let rest = parts.last,
            let name = try? ItemName(service: service, account: String(first)),
            let slot = UInt64(rest.prefix(16), radix: 16), let role = Role(rawValue: String(rest.dropFirst(16)))
        else { return nil }
        self.init(name, slot: slot, role: role)
        guard self.account == account else { return nil }
    }

    /// Whether an account belongs to a name, also one that is not well formed.
    static func isAccount(_ account: String, of name: ItemName) -> Bool {
        account == name.account || account.utf8.starts(with: "\(name.account) ".utf8)
    }
}
