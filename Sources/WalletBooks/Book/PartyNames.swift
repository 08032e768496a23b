public import Wallet

/// The user's names for addresses, from the contacts of the wallet's book.
///
/// Show a name beside its address, never in its place.
public struct PartyNames: Sendable {
    /// No names, for a book that is not open.
    public static let none = PartyNames([])

    private let names: [Party: String]

    /// Creates the names from contacts.
    public init(_ contacts: [Contact]) {
        names = Dictionary(contacts.map { ($0.party, $0.name) }) { first, _ in first }
    }

    /// Returns the name of a party; nil if it has none.
    public subscript(party: Party?) -> String? { party.flatMap { names[$0] } }
}
