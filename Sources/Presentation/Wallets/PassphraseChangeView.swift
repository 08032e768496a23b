package import Custody
internal import ErrorTexts
internal import Texts

/// The result of a change of a wallet's passphrase.
package struct PassphraseChangeView: ResultView {
    /// A file that was changed: the name of a share's place, or `book`.
    struct File: Encodable {
        let name: String
        let path: String
    }

    /// A share file that was not reached.
    struct Behind: Encodable {
        let location: String
        let path: String
        /// `missing`, `older_copy` or `read_only`.
        let problem: String
        fileprivate let clause: String

        private enum CodingKeys: String, CodingKey { case location, path, problem }
    }

    let name: String
    /// The files that the change sealed again; none if the new passphrase opened all of them before.
    let changed: [File]
    let behind: [Behind]
    /// Whether the new passphrase opens every file that is in its place.
    private let opensAll: Bool

    /// - Parameter book: the path of the wallet's book.
    package init(_ outcome: PassphraseChange.Outcome, of wallet: WalletRecord, book: String) {
        name = wallet.name.description
        changed = outcome.changed.map { file in
            switch file {
            case .book: File(name: "book", path: book)
            case .share(let location):
                File(name: location.name, path: wallet.shares.first { $0.location == location }?.path ?? "")
            }
        }
        opensAll = outcome.behind.allSatisfy { $0.obstacle == .missing }
        behind = outcome.behind.map { behind in
            let (problem, clause) =
                switch behind.obstacle {
                case .missing: ("missing", "not in its place")
                case .olderCopy: ("older_copy", "an older copy is in its place")
                case .readOnly: ("read_only", "it cannot be written")
                }
            return Behind(
                location: behind.share.location.name, path: behind.share.path, problem: problem, clause: clause)
        }
    }

    private enum CodingKeys: String, CodingKey { case name, changed, behind }

    package var text: String {
        var lines =
            changed.isEmpty
            ? [
                opensAll
                    ? "Nothing was changed: the new passphrase opens every file of '\(name)' that is in its place."
                    : "Nothing was changed."
            ]
            : ["The passphrase of '\(name)' is changed. These files open with the new one alone:"]
                + [Table(changed.map { ["  \($0.name)", $0.path] }).text]
        if !behind.isEmpty {
            lines +=
                [
                    "",
                    "These may still open with a passphrase from before. When they are back and can be written, run",
                    "'fueki wallet passphrase \(name)' again with the same two passphrases:",
                ]
                + [Table(behind.map { ["  \($0.location)", $0.path, $0.clause] }).text]
        }
        guard !changed.isEmpty else { return lines.joined(separator: "\n") }
        lines += [
            "",
            "Copies of these files from before still open with the old passphrase. If somebody may know it, make copies of",
            "shares worthless with 'fueki wallet refresh \(name)'. A copy of the book stays readable. Another machine",
            "that has this wallet keeps its own passphrase.",
        ]
        return lines.joined(separator: "\n")
    }
}

/// Advice about a change of the passphrase that is not complete.
package enum PassphraseAdvice {
    /// Returns a sentence for each problem; none if no change left a trace.
    package static func sentences(on condition: PassphraseCondition, of wallet: WalletName) -> [String] {
        var sentences: [String] = []
        if !condition.interrupted.isEmpty {
            sentences.append(
                "a change of the passphrase was interrupted: run 'fueki wallet passphrase \(wallet)' again with the same two "
                    + "passphrases; until then more than one passphrase may open \(condition.interrupted.joined(separator: ", "))"
            )
        }
        for behind in condition.behind {
            sentences.append(
                "the \(behind.share.location.name) share (\(behind.share.path)) may still open with the passphrase from "
                    + "before \(behind.since.dayText): connect it, and run 'fueki wallet passphrase \(wallet)' with that one as the "
                    + "present passphrase")
        }
        return sentences
    }
}
