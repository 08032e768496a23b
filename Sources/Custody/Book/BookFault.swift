public import SecureStorage

/// What is wrong with a wallet's book, or with what it was asked to keep.
///
/// Paths and names in it are those that the person gave.
public enum BookFault: Equatable, Sendable {
    /// The file is there and cannot be opened.
    case unreadable(path: String, SecureStorageError)
    /// What was to be written down could not be. Nothing is signed then.
    case notWritable(path: String, SecureStorageError)
    /// This machine has seen the book, and it is not there. `seen` is the folder that says so.
    case missing(path: String, seen: String)
    /// Another book than the one that this machine has seen lies there, or another wallet's.
    case foreign(path: String, seen: String)
    /// It opens, and what is in it was not written by this version.
    case damaged(path: String)
    /// No share is there to compare the passphrase with, and a book is not sealed under one that may be mistyped.
    case unprovenPassphrase
    /// There is no room for more of these. What is there stays.
    case full(Part)
    /// It is more than the book keeps of one thing.
    case tooLarge(Part)
    /// Nothing with this digest was ever admitted, or proposed.
    case unknown
    /// No name for a contact: it is empty, too long, cannot be told from another text, or is an address.
    case badContactName
    /// A contact has this name already.
    case contactExists(name: String)
    /// An address that people take for one that is known, and that is another one.
    case lookAlike(address: String)
    /// No contact has this name.
    case noSuchContact(name: String)
    /// No key for a payment: 1 to 64 visible ASCII characters.
    case badPaymentKey
    /// The key stands for another order: other payees, other amounts, or another account.
    case otherOrder(key: PaymentKey)
    /// A coin that was to be given back is not put aside.
    case notFrozen(String)

    /// A part of the book.
    public enum Part: Equatable, Sendable { case policy, contacts, history, proposals, nonces, frozen }
}
