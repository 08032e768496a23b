internal import Bitcoin
public import Custody
internal import DisplayText
public import Wallet

/// An address to which the user gave a name.
public struct Contact: Equatable, Sendable {
    /// The name: 1 to 64 characters that a reader can distinguish from other texts.
    public let name: String
    /// The address that is paid under this name.
    public let party: Party
    /// The name as it was stored, if it is now shown differently: see `SanitizedText`.
    let written: String?

    /// Creates a contact.
    ///
    /// - Throws: `CustodyError.book(_:)` with `BookFault.badContactName`: a name has 1 to 64 visible
    ///   characters and no blank at either end. A text that is an address is refused: a name must not be taken for one.
    public init(name: String, party: Party) throws(CustodyError) {
        let shown = SanitizedText(name, limit: Limits.contactNameSize, lines: .one)
        guard !name.isEmpty, shown.oddities.isEmpty, shown.text.utf8.elementsEqual(name.utf8), name.first != " ",
            name.last != " ", !Self.isAddress(name)
        else { throw .book(.badContactName) }
        self.name = name
        self.party = party
        written = nil
    }

    /// Makes a contact that was stored earlier, by whatever rules for names held then.
    init(written name: String, party: Party) {
        self.name = SanitizedText(name, limit: name.unicodeScalars.count, lines: .one).text
        self.party = party
        written = name.utf8.elementsEqual(self.name.utf8) ? nil : name
    }

    /// Returns whether the text could be mistaken for an address: also for a mistyped one, or one in look-alike
    /// letters.
    private static func isAddress(_ text: String) -> Bool {
        let small = SanitizedText.plain(text)
        return small.hasPrefix("0x") || (try? Address<Unchecked>(text)) != nil
            || ["bc1", "tb1", "bcrt1"].contains(where: small.hasPrefix)
    }
}
