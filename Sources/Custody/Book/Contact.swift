internal import Bitcoin
internal import DisplayText
public import Wallet

/// Somebody that the person has given a name to.
public struct Contact: Equatable, Sendable {
    /// The name, 1 to 64 characters that can be told from others.
    public let name: String
    /// Who is paid under this name.
    public let party: Party
    /// As it was written down, where it is shown otherwise now: see ``SanitizedText``.
    let written: String?

    /// - Throws: ``CustodyError/book(_:)`` with ``BookFault/badContactName``: a name has 1 to 64 visible
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

    /// One that was written down before, by whatever rules held for names then.
    init(written name: String, party: Party) {
        self.name = SanitizedText(name, limit: name.unicodeScalars.count, lines: .one).text
        self.party = party
        written = name.utf8.elementsEqual(self.name.utf8) ? nil : name
    }

    /// Whether it could be taken for an address: also for one that was mistyped, or is written in letters that look like those.
    private static func isAddress(_ text: String) -> Bool {
        let small = SanitizedText.plain(text)
        return small.hasPrefix("0x") || (try? Address<Unchecked>(text)) != nil
            || ["bc1", "tb1", "bcrt1"].contains(where: small.hasPrefix)
    }
}
