public import AuditLog
public import Ceremonies
public import Files
package import HDKeys
public import Secrets
public import SecureStorage
public import Wallet

/// A failure of a wallet, its shares or its book. Failures between participants are in ``ceremony(_:)``.
///
/// Its texts and names are those that the user gave; it never contains a key, a share or a passphrase.
public enum CustodyError: Error, Equatable, Sendable {
    /// The wallet name is invalid. A valid one has 1 to 64 of `a-z A-Z 0-9 . _ -`, and starts with a letter or a digit.
    case badWalletName
    /// A wallet of this name already exists.
    case walletExists(name: String)
    /// No wallet has this name.
    case noSuchWallet(name: String)
    /// The creation or import of the wallet was interrupted: see ``UnfinishedCreation``.
    case unfinishedCreation(name: String)
    /// The label of a wallet is taken or ambiguous.
    case label(LabelFault)
    /// The public description of the wallet does not parse, or contradicts itself.
    case damagedWallet(name: String, reason: String)
    /// A share of the wallet cannot be used.
    case share(ShareLocation, ShareFault)
    /// A file that the user named as a share file, or the place where one would be written, is not usable.
    case shareFile(path: String, ShareFileFault)
    /// The shares were not renewed.
    case renewal(RenewalFault)
    /// The passphrase was not changed, or not in every file.
    case passphraseChange(PassphraseFault)
    /// The wallet was not deleted, for these reasons. Nothing was changed.
    case notDeleted([DeletionObstacle])
    /// The wallet has no share of this name.
    case noSuchShare(name: String)
    /// The stored bytes of a share, its counts or the book do not parse.
    case malformedRecord
    /// A transaction, an address, an amount or a key is malformed.
    case wallet(WalletError)
    /// A ceremony between the participants failed or did not begin.
    case ceremony(CeremonyError)
    /// The passphrase has a flaw: the same words, typed again, might not open the shares. Nothing was made.
    case unusablePassphrase(PassphraseText.Flaw)
    /// The path contains control characters: a description with this path would be refused.
    case unusablePath
    /// The folder for a file does not exist and cannot be made.
    case noFolder(path: String, FileError)
    /// A public file cannot be read or written.
    case file(FileError)
    /// The wallet's book cannot be used, or refuses the request.
    case book(BookFault)
    /// The wallet's audit log cannot be used. What was to be logged was not done.
    case log(path: String, AuditLogError)
    /// The policy file is invalid.
    case badPolicy(PolicyFault)
    /// The file of an approver's key cannot be made or opened.
    case approverKey(path: String, SecureStorageError)
    /// The file is not a valid proposal file.
    case badProposal
    /// The random source shows a sign of failure. No key or share was made.
    case unhealthyRandomness(RandomHealth.Flaw)
}

/// Tests the random source, before keys or shares are made.
func requireHealth(of random: some RandomSource) throws(CustodyError) {
    if let flaw = RandomHealth.flaw(of: random) { throw .unhealthyRandomness(flaw) }
}

/// Runs a step of a ceremony, and converts its errors into this library's.
func inCeremony<Value: ~Copyable>(_ step: () throws(CeremonyError) -> Value) throws(CustodyError) -> Value {
    do { return try step() } catch { throw CustodyError(error) }
}

extension CustodyError {
    /// Converts a ceremony's error: an error that this library threw through one of the ports, or ``ceremony(_:)``.
    public init(_ error: CeremonyError) {
        switch error {
        case .port(let port): self = port.cause as? CustodyError ?? .ceremony(error)
        case .wallet(let error): self = .wallet(error)
        case .noSuchShare(let index): self = .noSuchShare(name: ShareLocation(index: index).name)
        default: self = .ceremony(error)
        }
    }

    /// The error as a ceremony error: a ledger or an authorizer throws it to its participant.
    package var throughPort: CeremonyError {
        switch self {
        case .ceremony(let error): error
        case .wallet(let error): .wallet(error)
        default: .port(PortError(self))
        }
    }
}

extension CustodyError {
    /// Makes a ``wallet(_:)`` error from an invalid derivation path or key.
    package static func key(_ error: HDKeyError) -> CustodyError { .wallet(.key(error)) }
}

extension CustodyError {
    /// Whether another program has the wallet's book open, so that the same call may succeed in a moment.
    public var isBusy: Bool {
        switch self {
        case .book(.unreadable(_, .lockedByAnother(_))), .book(.notWritable(_, .lockedByAnother(_))),
            .log(_, .lockedByAnother(_)):
            true
        default: false
        }
    }
}
