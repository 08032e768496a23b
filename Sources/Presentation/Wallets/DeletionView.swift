package import Custody
internal import ErrorTexts
package import Texts
internal import Threshold
package import WalletBooks

/// The files that deleting a wallet removes, and those that stay.
package struct DeletionView: ResultView {
    struct Kept: Encodable {
        let share: String
        let path: String
        /// Whether the file exists now.
        let present: Bool
    }

    let wallet: String
    private let title: String
    /// The shares whose files are removed.
    let removed: [String]
    let kept: [Kept]
    /// The obstacles to the deletion that the person accepted.
    let despite: [String]
    private let sentences: [String]
    private let threshold: Int

    enum CodingKeys: String, CodingKey { case wallet, removed, kept, despite }

    package init(_ deletion: WalletDeletion, despite obstacles: [DeletionObstacle]) {
        wallet = deletion.wallet.name.description
        title = WalletTitle.text(wallet, deletion.label?.description)
        removed = deletion.removed.map(\.name)
        kept = deletion.kept.map { Kept(share: $0.location.name, path: $0.path, present: $0.isThere) }
        despite = obstacles.compactMap(\.word)
        sentences = obstacles.map(\.clause)
        threshold = deletion.wallet.parameters.threshold
    }

    /// Returns the text that a person reads before the deletion.
    package func question(in width: Columns) -> StyledText {
        let shares = removed.map { "the \($0) share" }
        var rows: [LabelledRows.Row] = [
            .init(
                "removes",
                [
                    "from this machine: \((shares + ["the policy", "the contacts", "the history"]).joined(separator: ", "))"
                ], .strong)
        ]
        rows += kept.map { .init("stays", ["\($0.path) (\($0.share)\($0.present ? "" : ", not there now"))"]) }
        rows.append(
            .init(
                "back",
                [
                    "'fueki wallet restore \(wallet)' with \(threshold) of these files brings the wallet back, "
                        + "without policy, contacts and history: limits begin anew"
                ]))
        rows += sentences.map { .init("despite", [$0], .warning) }
        return StyledText(
            lines: [
                StyledText("Delete the wallet '\(title)' from this machine", .strong), StyledText(""),
                LabelledRows(rows).text(columns: width.sentences),
            ])
    }

    /// The text after the deletion.
    package var text: String {
        (["the wallet '\(wallet)' is deleted from this machine"] + kept.map { "  \($0.path) stays" }).joined(
            separator: "\n")
    }
}

/// The completion of a deletion that was interrupted.
package struct FinishedDeletionView: ResultView {
    let wallet: String
    let state = "finished"

    package init(wallet: String) { self.wallet = wallet }

    package var text: String { "the rest of the wallet '\(wallet)', whose deletion was interrupted, is removed" }
}

/// The rest of a creation that was interrupted, which is removed.
package struct UnfinishedCreationView: ResultView {
    let wallet: String
    let state = "unfinished"
    /// The share files that the creation made or would have made.
    let shares: [String]

    package init(_ unfinished: UnfinishedCreation) {
        (wallet, shares) = (unfinished.wallet.name.description, unfinished.wallet.shares.map(\.path))
    }

    /// The subject of the question.
    package var subject: String {
        (["The creation of '\(wallet)' was interrupted. No address was given out; these share files are useless:"]
            + shares.map { "  \($0)" }).joined(separator: "\n")
    }

    package var text: String { "the rest of '\(wallet)', whose creation was interrupted, is removed" }
}
