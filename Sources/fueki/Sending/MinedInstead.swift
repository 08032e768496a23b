internal import Custody
internal import Wallet

/// Another transaction of the wallet that was mined in the place of the one that a command waited for.
struct MinedInstead {
    let entry: HistoryEntry
    /// The name of the transaction that was waited for.
    let awaited: String

    /// - Parameters:
    ///   - entry: of the transaction that was mined.
    ///   - awaited: of the transaction that was waited for.
    ///   - height: of the block.
    /// - Throws: unless both are the same payment, as a payment and its speed-up are.
    init(_ entry: HistoryEntry, insteadOf awaited: HistoryEntry, at height: UInt64) throws(Failure) {
        let (name, id) = (entry.id ?? "another transaction", awaited.id ?? "this one")
        if !entry.isSamePayment(as: awaited) {
            throw entry.effects == [.nothing]
                ? .cancelledMeanwhile(id, by: name, at: height)
                : .minedInstead(name, at: height, insteadOf: id, isCancellation: awaited.effects == [.nothing])
        }
        self.entry = entry
        self.awaited = id
    }

    var warning: String {
        "\(entry.id ?? "another transaction") was mined in the place of \(awaited), and pays the same"
    }
}

extension Failure {
    fileprivate static func cancelledMeanwhile(_ id: String, by other: String, at height: UInt64) -> Failure {
        Failure(
            code: .refused, name: "payment_cancelled",
            message: "transaction \(id) was cancelled meanwhile: \(other) is in block \(height) in its place, and pays "
                + "nobody else",
            id: id)
    }

    fileprivate static func minedInstead(
        _ other: String, at height: UInt64, insteadOf id: String, isCancellation: Bool
    ) -> Failure {
        let text = "transaction \(other) is in block \(height) in the place of \(id)"
        return isCancellation
            ? Failure(
                code: .refused, name: "cancellation_too_late", message: "the cancellation came too late: " + text,
                id: id)
            : Failure(code: .refused, name: "replaced", message: text, hint: "see 'fueki history'", id: id)
    }
}
