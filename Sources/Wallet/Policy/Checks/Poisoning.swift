/// Addresses that are made to be taken for another one: people compare the first and the last characters.
enum Poisoning {
    /// How many characters at each end are compared, behind what all addresses of the kind begin with.
    private static let compared = 4

    /// Whether two different parties have addresses that look alike.
    static func looksLike(_ one: Party, _ other: Party) -> Bool {
        guard one != other, let left = ends(of: one), let right = ends(of: other) else { return false }
        return left == right
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
        case .script: return nil
        }
        let own = text.dropFirst(prefix)
        return [text.prefix(prefix), own.prefix(compared), own.suffix(compared)]
    }
}

extension Party {
    /// Whether both have addresses of their own that people who compare the first and last characters take for the same.
    public func looksLike(_ other: Party) -> Bool { Poisoning.looksLike(self, other) }
}
