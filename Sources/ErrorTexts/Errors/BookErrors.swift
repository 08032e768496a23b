package import Custody
internal import SecureStorage
package import Texts
internal import Wallet

extension BookFault {
    package var failure: Failure {
        switch self {
        case .unreadable(let path, let error): unreadable(path, error)
        case .notWritable(let path, .backend(let backend, let fault)):
            fault.failure(of: backend).reworded { "cannot write to the wallet's book (\(path)): \($0)" }
        case .notWritable(let path, let error):
            Failure(
                code: error.failure.code == .busy ? .busy : .unwritable,
                name: error == .diskFull ? "disk_full" : error.failure.code == .busy ? "busy" : "book_not_writable",
                message: "cannot write to the wallet's book (\(path)): \(error.clause)",
                hint: "nothing was signed, because it could not be recorded first")
        case .missing(let path, let seen):
            Failure(
                code: .missing, name: "book_missing",
                message: "the wallet's book is not at \(path), where this machine has seen it",
                hint:
                    "restore it: it has the policy and the amounts that count against its limits. If it is lost for "
                    + "good, remove \(seen) to begin an empty one, without a policy")
        case .foreign(let path, let seen):
            Failure(
                code: .malformed, name: "foreign_book",
                message: "\(path) is not the book that this machine has seen of this wallet",
                hint: "bring that one back. If it is lost for good, and this one is the wallet's, remove \(seen)")
        case .damaged(let path):
            Failure(
                code: .malformed, name: "damaged_book",
                message: "the wallet's book (\(path)) has entries that this version of fueki does not know",
                hint: "use the version that wrote it, or a newer one")
        case .unprovenPassphrase:
            Failure(
                code: .badShare, name: "unproven_passphrase",
                message: "no share file can be reached, so that the passphrase cannot be verified",
                hint: "connect the place of one share (a stick, a disk): the first write to the wallet's book needs it")
        case .full(let part):
            Failure(
                code: .refused, name: "book_full", message: "the wallet's book has no room for more \(part.plural)",
                hint: part.remedy)
        case .tooLarge(let part):
            Failure(
                code: .refused, name: "too_large_for_book",
                message: "this does not fit into the wallet's book, which has a limit for \(part.plural)")
        case .unknown:
            Failure(
                code: .usage, name: "not_in_book", message: "the wallet's book has no entry with this digest",
                hint: "'fueki history' lists its entries")
        case .badContactName:
            .usage(
                "this cannot be the name of a contact",
                hint:
                    "1 to 64 visible characters of one script and one direction (digits run from left to right), and no address"
            )
        case .contactExists(let name):
            Failure(code: .unwritable, name: "contact_exists", message: "there is a contact '\(name)' already")
        case .lookAlike(let address):
            Failure(
                code: .refused, name: "look_alike",
                message: "this address looks like \(address), which you know, and is another one",
                hint: "it may have been made to be mistaken for that one: compare every character with its source. "
                    + "If it is right, name the other one with --unlike")
        case .attemptedMeanwhile(let id):
            Failure(
                code: .refused, name: "attempted_meanwhile", message: Self.attemptedMeanwhile(id),
                hint: "give the same order again: it looks that one up first", id: id)
        case .notFrozen(let coin):
            Failure(code: .usage, name: "not_frozen", message: "the coin \(coin) is not frozen")
        case .noSuchContact(let name):
            Failure(code: .missing, name: "no_such_contact", message: "there is no contact '\(name)'")
        case .badExport:
            Failure(
                code: .malformed, name: "bad_book_file",
                message: "'fueki book export' did not write this file, or it was changed")
        case .exportOfAnotherWallet:
            Failure(
                code: .malformed, name: "other_wallet", message: "this file belongs to another wallet's book",
                hint: "a wallet that was brought back with 'fueki wallet restore' has its old id")
        case .changedMeanwhile:
            Failure(
                code: .busy, name: "changed_meanwhile",
                message: "the wallet's book has changed since the question; nothing was imported", hint: "try again")
        case .otherOrder(let key):
            Failure(
                code: .refused, name: "other_order",
                message: "--once \(key) stands for another order: other payees, other amounts, or another account",
                hint: "give a new payment a new key; 'fueki history' shows what has this one")
        }
    }

    private static func attemptedMeanwhile(_ id: String?) -> String {
        let beginning =
            "since this was planned, another attempt at the same order, or a replacement of this transaction, has "
        guard let id else { return beginning + "begun; nothing was signed now" }
        return beginning + "begun: \(id); nothing was signed now"
    }

    private func unreadable(_ path: String, _ error: SecureStorageError) -> Failure {
        switch error {
        case .wrongPassphrase:
            Failure(
                code: .wrongPassphrase, name: "wrong_passphrase",
                message: "the passphrase does not open the wallet's book (\(path))")
        case .lockedByAnother: Failure(code: .busy, name: "busy", message: "\(path): \(error.clause)")
        case .rolledBack:
            Failure(
                code: .malformed, name: "old_book", message: "\(path): \(error.clause)",
                hint: "restore the newest copy: an older one misses amounts that count against the limits")
        case .inputOutput, .diskFull:
            Failure(
                code: .unwritable, name: "book_not_writable",
                message: "cannot open the wallet's book (\(path)): \(error.clause)",
                hint: "nothing was signed, because it could not be recorded first")
        default: Failure(code: .malformed, name: "bad_book", message: "\(path): \(error.clause)")
        }
    }
}

extension BookFault.Part {
    fileprivate var plural: String {
        switch self {
        case .policy: "policies"
        case .contacts: "contacts"
        case .history: "entries of its history"
        case .proposals: "proposals"
        case .nonces: "waiting transactions"
        case .frozen: "frozen coins"
        }
    }

    fileprivate var remedy: String {
        switch self {
        case .policy, .contacts, .frozen: "remove some first"
        case .history: "the oldest are removed automatically when they are final and no limit counts them"
        case .proposals: "sign or withdraw some first"
        case .nonces: "wait until some are mined"
        }
    }
}

extension Decision.Verdict {
    /// The clause of the message.
    var clause: String {
        switch self {
        case .allowed: "the policy allows it"
        case .notBefore: "the policy does not allow it yet"
        case .needsApproval(1): "the policy requires 1 more approval"
        case .needsApproval(let missing): "the policy requires \(missing) more approvals"
        case .denied: "the policy does not allow it"
        }
    }
}
