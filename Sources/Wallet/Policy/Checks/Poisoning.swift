/// Addresses that are made to be taken for another one, since people compare the first and the last characters; and those that are
/// another one, mistyped.
enum Poisoning {
    /// How many characters at each end are compared, behind what all addresses of the kind begin with.
    private static let compared = 4
    /// In how many digits a mistyped address differs, at most: two that changed places are two.
    private static let mistyped = 2

    /// Whether two different parties have addresses that look alike, or are a slip of the finger apart.
    static func looksLike(_ one: Party, _ other: Party) -> Bool {
        guard one != other, let left = ends(of: one), let right = ends(of: other) else { return false }
        return left == right || isMistyped(one, other)
    }

    /// On Ethereum an address may come without a checksum. On Bitcoin each has one, which no such slip passes.
    private static func isMistyped(_ one: Party, _ other: Party) -> Bool {
        guard case .ethereum(let left) = one, case .ethereum(let right) = other else { return false }
        let digits = zip(left.bytes, right.bytes).map { ($0 ^ $1 > 0x0F ? 1 : 0) + (($0 ^ $1) & 0x0F > 0 ? 1 : 0) }
        return digits.reduce(0, +) <= mistyped
    }

    private static func ends(of party: Party) -> [Substring]? {
        let text: String
        let prefix: Int
        switch party {
        case .bitcoin(let address):
            text = address.description
            // Past the separator and the version of a witness address; past the version of the others.
            prefix = text.firstIndex(of: "1").map { text.distance(from: text.startIndex, to: $0) + 2 } ?? 1
        case .ethereum(let address):
            text = address.description.lowercased()
            prefix = 2
        // It is derived from the wallet's own keys: nobody made it to look like another one.
        case .script, .own: return nil
        }
        let own = text.dropFirst(prefix)
        return [text.prefix(prefix), own.prefix(compared), own.suffix(compared)]
    }
}

extension Party {
    /// Whether both have addresses of their own that people who compare the first and last characters take for the same, or on
    /// Ethereum such that differ in no more than two digits.
    public func looksLike(_ other: Party) -> Bool { Poisoning.looksLike(self, other) }
}
