internal import Custody
internal import Wallet

/// What a person calls others, where the wallet's book is open. A name stands beside an address, never in its place.
struct PartyNames {
    /// Nobody is called anything.
    static let none = PartyNames([])

    private let names: [Party: String]

    init(_ contacts: [Contact]) { names = Dictionary(contacts.map { ($0.party, $0.name) }) { first, _ in first } }

    subscript(party: Party?) -> String? { party.flatMap { names[$0] } }

    /// The address, and the name behind it.
    func text(_ party: Party) -> String {
        if case .own(_, let path) = party { return "\(party) (far address \(path) of this wallet)" }
        return "\(party)" + (names[party].map { " (\($0))" } ?? "")
    }
}
