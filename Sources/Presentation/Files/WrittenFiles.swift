package import Bitcoin
internal import Encoding
internal import Texts
package import Wallet
package import WalletBooks

/// A combined PSBT in a file.
package struct CombinedView: ResultView {
    let output: String
    private let count: Int

    enum CodingKeys: String, CodingKey { case output }

    /// - Parameter count: the number of PSBTs that were combined.
    package init(of count: Int, in output: String) { (self.count, self.output) = (count, output) }

    package var text: String { "what \(count) files hold" }
}

/// A transaction in a file, ready for a node.
package struct FinalizedView: ResultView {
    let output: String
    let id: String
    let virtual_size: Int
    /// The encoded transaction in hexadecimal.
    let transaction: String

    package init(_ transaction: Transaction, in output: String) {
        self.output = output
        id = transaction.id.description
        virtual_size = transaction.virtualSize
        self.transaction = Hex.encode(transaction.encoded)
    }

    package var text: String { "transaction \(id), \(virtual_size) vB" }
    /// The content of the file.
    package var file: [UInt8] { Array((transaction + "\n").utf8) }
}

/// An exported book in a file.
package struct ExportedBookView: ResultView {
    let output: String
    let digest: String
    let contacts: Int
    let frozen: Int
    let entries: Int

    package init(_ document: BookExport, in output: String) {
        self.output = output
        digest = Hex.encode(document.digest)
        (contacts, frozen) = (document.contacts.count, document.frozen.count)
        entries = document.history.count
    }

    package var text: String {
        "\(contacts) contact\(contacts == 1 ? "" : "s") and "
            + "\(entries) entr\(entries == 1 ? "y" : "ies") of the history\ndigest \(digest)"
    }
}

/// A proposal in a file for an approver.
package struct ExportedProposalView: ResultView {
    let output: String
    let digest: String

    package init(_ proposal: PendingProposal, in output: String) {
        (self.output, digest) = (output, Hex.encode(proposal.digest))
    }

    package var text: String { "the proposal \(digest)" }
    package static let next =
        "next, on the approver's machine: fueki policy approve FILE --key KEY -o APPROVAL"
}

/// A proposal that was withdrawn.
package struct WithdrawnView: ResultView {
    let digest: String
    let state = "withdrawn"

    package init(_ proposal: PendingProposal) { digest = Hex.encode(proposal.digest) }

    package var text: String { "\(digest) is no longer pending" }
}
