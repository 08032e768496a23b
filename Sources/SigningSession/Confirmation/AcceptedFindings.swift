/// The costly findings that a person accepted before any was shown, by their names in `Finding.names`.
public struct AcceptedFindings: Hashable, Sendable {
    /// The names of the accepted findings.
    public let names: Set<String>

    /// Accepts the findings with these names. A name that no finding has changes nothing.
    public init(_ names: Set<String>) { self.names = names }

    /// Accepts no finding.
    public static let none = AcceptedFindings([])

    /// The findings that a person accepts by naming the highest fee: a fee that is large in itself, or compared with
    /// the amount, is within that limit. A fee above the amount, or far above the node's estimate, is not accepted.
    public static let namedFeeCeiling = AcceptedFindings(["large_fee"])

    /// The finding that a person accepts by naming a chain whose coins have another worth than those of the wallet's
    /// network.
    public static let otherNetwork = AcceptedFindings(["other_network"])

    /// The finding that needs no person: the change of a transaction planned here goes behind the last address that
    /// was used, within the searched addresses.
    package static let plannedChange = AcceptedFindings(["far_index"])

    /// Returns the findings that are accepted here or in the other set.
    public func union(_ other: AcceptedFindings) -> AcceptedFindings {
        AcceptedFindings(names.union(other.names))
    }
}
