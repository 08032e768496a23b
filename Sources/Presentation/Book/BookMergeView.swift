internal import Bitcoin
package import Custody
internal import Encoding
package import Texts
internal import Wallet
package import WalletBooks

/// The additions and omissions of importing a book's document, shown before the person agrees.
package struct BookMergeView: Encodable {
    struct Conflict: Encodable {
        let contact: ContactView
        /// The reason: `other_address`, `other_name`, `looks_like` or `unpayable`.
        let reason: String
        /// The contact or the address of the book that stays.
        let stays: String?
    }

    let wallet: String
    /// The digest for `--expect`: it changes if anything in the document changes.
    let digest: String
    let contacts: [ContactView]
    let conflicts: [Conflict]
    let frozen: [String]
    /// The number of history entries that are kept for reading.
    let entries: Int
    /// The number of contacts, coins and entries that the book already has.
    let present: Int

    /// - Parameter chosen: the new contacts that are added.
    package init(
        _ merge: BookMerge, of document: BookExport, into wallet: WalletRecord, adding chosen: BookMerge.Choice
    ) {
        self.wallet = wallet.name.description
        digest = Hex.encode(document.digest)
        contacts = merge.contacts.filter(chosen.contains).map(ContactView.init)
        conflicts = merge.conflicts.map(Conflict.init)
        frozen = merge.frozen.map(\.description).sorted()
        entries = merge.entries.count
        present = merge.present
    }

    /// Returns the whole text, in which every contact has its whole address.
    package func text(in width: Columns) -> StyledText {
        var rows: [LabelledRows.Row] = contacts.map { contact in
            .init("contact", [contact.name] + Self.groups(contact.address, width), .strong)
        }
        rows += conflicts.map { conflict in
            .init(
                "left out",
                [conflict.contact.name] + Self.groups(conflict.contact.address, width) + [conflict.sentence],
                .warning)
        }
        rows += frozen.map { .init("freezes", [$0]) }
        if entries > 0 {
            rows.append(
                .init(
                    "history",
                    [(entries == 1 ? "1 entry" : "\(entries) entries") + ", for reading: no limit counts them"]))
        }
        if present > 0 {
            rows.append(.init("there", ["\(present) contacts, coins and entries are in the book already"], .faint))
        }
        rows.append(.init("digest", [digest], .faint))
        let headline =
            contacts.isEmpty && frozen.isEmpty && entries == 0
            ? "Nothing new for the book of '\(wallet)'" : "Add to the book of '\(wallet)'"
        return StyledText(
            lines: [
                StyledText(headline, .strong), StyledText(""), LabelledRows(rows).text(columns: width.sentences),
            ])
    }

    private static func groups(_ address: String, _ width: Columns) -> [String] {
        Review.groups(address, inLine: width.sentences < 56 ? 4 : 8)
    }
}

extension BookMergeView.Conflict {
    fileprivate init(_ conflict: BookMerge.Conflict) {
        contact = ContactView(conflict.contact)
        (reason, stays) =
            switch conflict.reason {
            case .otherAddress(let mine): ("other_address", "\(mine.name) \(mine.party)")
            case .otherName(let mine): ("other_name", mine.name)
            case .looksLike(let party): ("looks_like", party.description)
            case .unpayable: ("unpayable", nil)
            }
    }

    fileprivate var sentence: String {
        switch reason {
        case "other_address": "the book has this name with another address, which stays: \(stays ?? "")"
        case "other_name": "the book calls this address '\(stays ?? "")', which stays"
        case "looks_like": "the address only looks like one that you have paid or named: \(stays ?? "")"
        default: "this wallet cannot pay to this address"
        }
    }
}
