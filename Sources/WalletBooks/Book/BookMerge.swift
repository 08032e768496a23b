public import Bitcoin
internal import Curves
public import Custody
internal import Time
public import Wallet

/// The effect of importing a document into a book: the additions and the conflicts. Show all of it: the user pays
/// contacts by name, and a policy treats their addresses as known.
public struct BookMerge: Equatable, Sendable {
    /// A contact of the document that is not imported, because it contradicts the book. The book stays as it is.
    public struct Conflict: Equatable, Sendable {
        /// The contact in the document.
        public let contact: Contact
        /// The reason for the conflict.
        public let reason: Reason

        /// The ways in which a contact collides with the book.
        public enum Reason: Equatable, Sendable {
            /// The book has a contact of this name, or of one that looks like it, with another address.
            case otherAddress(Contact)
            /// The book has this address under another name.
            case otherName(Contact)
            /// The address is not this known one, but looks like it.
            case looksLike(Party)
            /// This wallet cannot pay to the address, for example because it is of another network.
            case unpayable
        }
    }

    /// The new contacts that a user wants to add.
    public enum Choice: Equatable, Sendable {
        /// No contact.
        case none
        /// Every contact.
        case all
        /// The contacts with these names.
        case named(Set<String>)

        /// Whether a contact is to be added.
        public func contains(_ contact: Contact) -> Bool {
            switch self {
            case .none: false
            case .all: true
            case .named(let names): names.contains(contact.name)
            }
        }

        /// Returns the names of the contacts to be added.
        public func names(among contacts: [Contact]) -> Set<String> { Set(contacts.filter(contains).map(\.name)) }

        /// Returns a named contact that the document does not have, the first by its name; nil if it has all.
        public func stranger(to document: BookExport) -> String? {
            guard case .named(let names) = self else { return nil }
            return names.subtracting(document.contacts.map(\.name)).min()
        }
    }

    /// New contacts. None is added unless ``WalletBook/run(_:of:adding:)`` names it.
    public let contacts: [Contact]
    /// Contacts that are not imported.
    public let conflicts: [Conflict]
    /// Coins that become frozen. Freezing forbids spending, and can be undone.
    public let frozen: Set<OutPoint>
    /// Entries that are added to the archive.
    public let entries: [ArchivedEntry]
    /// The number of contacts, coins and entries of the document that the book already has.
    public let present: Int

    /// Whether the import adds nothing.
    public var isEmpty: Bool { contacts.isEmpty && frozen.isEmpty && entries.isEmpty }
}

extension BookExport {
    /// The SHA-256 hash of the document: 32 bytes. A script that imports a document names it, so that another document
    /// in its place is refused.
    public var digest: [UInt8] { SHA256.hash(encoded) }
}

extension WalletBook {
    /// Returns the effect of an import. Changes nothing.
    ///
    /// - Throws: `CustodyError.book(_:)` with `BookFault.exportOfAnotherWallet`.
    public func merge(_ document: BookExport) throws(CustodyError) -> BookMerge {
        guard document.wallet == wallet.walletID else { throw .book(.exportOfAnotherWallet) }
        var contacts: [Contact] = []
        var conflicts: [BookMerge.Conflict] = []
        var present = 0
        for contact in document.contacts {
            if contactList.contains(where: { $0.name == contact.name && $0.party == contact.party }) {
                present += 1
            } else if let reason = conflict(contact, with: contacts) {
                conflicts.append(BookMerge.Conflict(contact: contact, reason: reason))
            } else {
                contacts.append(contact)
            }
        }
        let digests = Set(entries.map(\.digest) + archived.map(\.digest))
        let new = document.history.filter { !digests.contains($0.digest) }
        let frozen = document.frozen.subtracting(frozenCoins)
        present += document.frozen.count - frozen.count + document.history.count - new.count
        return BookMerge(contacts: contacts, conflicts: conflicts, frozen: frozen, entries: new, present: present)
    }

    private func conflict(_ contact: Contact, with others: [Contact]) -> BookMerge.Conflict.Reason? {
        switch contact.party {
        case .bitcoin(let address) where address.network == wallet.network: break
        case .ethereum: break
        default: return .unpayable
        }
        let known = contactList + others
        if let mine = known.first(where: { $0.party == contact.party }) { return .otherName(mine) }
        if let mine = known.first(where: { $0.passes(for: contact.name) }) { return .otherAddress(mine) }
        let parties = chosen.union(others.map(\.party))
        if let double = parties.first(where: { $0 != contact.party && $0.looksLike(contact.party) }) {
            return .looksLike(double)
        }
        return nil
    }

    /// Imports a document, in one write. The present data of the book stays as it is.
    ///
    /// Imported entries are an archive: they are shown, and no limit, nonce or order is computed from them, so that a
    /// document can neither make room for more nor pass off a payment as made.
    ///
    /// - Parameters:
    ///   - merge: the effect of the import that the user has seen.
    ///   - names: the new contacts that the user wants.
    /// - Throws: `CustodyError.book(_:)`, with `BookFault.changedMeanwhile` if the import would no longer do what the
    ///   user has seen, and `BookFault.full(_:)`. Nothing is changed then.
    public func run(_ merge: BookMerge, of document: BookExport, adding names: Set<String>) async throws(CustodyError) {
        await lock.lock()
        defer { lock.unlock() }
        guard try self.merge(document) == merge else { throw .book(.changedMeanwhile) }
        let contacts = contactList + merge.contacts.filter { names.contains($0.name) }
        let frozen = frozenCoins.union(merge.frozen)
        let archive = ArchivedEntry.newest(merge.entries, beside: archived)
        guard contacts.count <= Limits.contacts else { throw .book(.full(.contacts)) }
        guard frozen.count <= Limits.frozenCoins else { throw .book(.full(.frozen)) }
        let sorted = contacts.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        let list = Contact.encode(sorted)
        guard list.count <= Limits.contactsSize else { throw .book(.full(.contacts)) }
        var items: [(name: String, bytes: [UInt8])] = []
        if sorted != contactList { items.append((Item.contacts.name, list)) }
        if frozen != frozenCoins { items.append((Item.frozen.name, FrozenCoins.encode(frozen))) }
        if archive != archived { items.append((Item.archive.name, ArchivedEntry.encode(archive))) }
        try await file.saveAll(items)
        (contactList, frozenCoins, archived) = (sorted, frozen, archive)
    }
}
