public import SecureStorage
public import Wallet

/// A failure of a wallet's book, or of a request to it.
///
/// Its paths and names are those that the user gave.
public enum BookFault: Equatable, Sendable {
    /// The file exists and cannot be opened.
    case unreadable(path: String, SecureStorageError)
    /// The book could not be written. Nothing is signed then.
    case notWritable(path: String, SecureStorageError)
    /// The book that this machine has seen is missing. `seen` is the folder that records it.
    case missing(path: String, seen: String)
    /// The file is another book than the one that this machine has seen, or another wallet's book.
    case foreign(path: String, seen: String)
    /// The book opens, and its contents were not written by this version.
    case damaged(path: String)
    /// No share file exists with which the passphrase could be compared. A book is never sealed under a passphrase that
    /// may be mistyped.
    case unprovenPassphrase
    /// The book has no room for more items of this part. Existing items stay.
    case full(Part)
    /// The item is larger than the book allows for this part.
    case tooLarge(Part)
    /// No intent with this digest was ever admitted or proposed.
    case unknown
    /// The contact's name is invalid: it is empty, too long, cannot be distinguished from another text, or is an
    /// address.
    case badContactName
    /// A contact has this name already.
    case contactExists(name: String)
    /// The address looks like a known one and differs from it.
    case lookAlike(address: String)
    /// No contact has this name.
    case noSuchContact(name: String)
    /// The payment key belongs to another order: other payees, other amounts, or another account.
    case otherOrder(key: PaymentKey)
    /// Since this was planned, the book admitted another attempt at its order, or a transaction that conflicts with it. `id` names that
    /// one if it is signed. Nothing is signed now: plan the order again.
    case attemptedMeanwhile(id: String?)
    /// The coin that was to be unfrozen is not frozen.
    case notFrozen(String)

    /// The document is not one that `BookExport` writes.
    case badExport
    /// The document is of another wallet's book.
    case exportOfAnotherWallet
    /// The book was changed after the user saw what the import would do. Nothing is imported.
    case changedMeanwhile

    /// A part of the book.
    public enum Part: Equatable, Sendable {
        /// The policy's file.
        case policy
        /// The contacts.
        case contacts
        /// The history: the signed intents, with their states.
        case history
        /// The proposals, which wait to be signed.
        case proposals
        /// The ledgers of nonces.
        case nonces
        /// The coins that are frozen.
        case frozen
    }
}
