public import Ceremonies
public import Custody
public import Wallet

/// Authorizes the intents that the book admits, for one session. Made by
/// ``WalletBook/authorizer(in:)``.
public struct BookAuthorizer: SigningAuthorizer {
    let book: WalletBook
    let context: SigningContext
    private let session = BookSession()

    init(book: WalletBook, context: SigningContext) {
        self.book = book
        self.context = context
    }

    /// Admits a payload by the wallet's policy, and reserves it in the book before anything is signed (`SigningAuthorizer`).
    ///
    /// - Throws: `CeremonyError.port(_:)` with the refusal, a `CustodyError`.
    public func admit(_ payload: SigningPayload, meaning intent: Intent) async throws(CeremonyError) {
        do throws(CustodyError) {
            try await book.admit(payload, meaning: intent, in: context, session)
        } catch { throw error.throughPort }
    }

    /// Records that a signature may exist from now on: the payload counts, also if the session fails (`SigningAuthorizer`).
    public func willSendSignature(of digest: [UInt8]) async { await book.signatureMayExist(of: digest) }

    /// Records that the session failed. A reservation of another session stays.
    ///
    /// - Throws: as ``WalletBook/note(_:of:)`` with the outcome of a failure.
    public func noteFailure(of digest: [UInt8]) async throws(CustodyError) {
        try await book.note(.failed, of: digest, by: session)
    }
}

/// The identity of one session of participants that sign together: each instance is another session.
final class BookSession: Sendable {}
