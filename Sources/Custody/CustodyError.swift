public import Ceremonies
internal import HDKeys
public import SecureStorage
public import Wallet

/// What went wrong with a wallet, its shares or its book; ``ceremony(_:)`` has what went wrong between the participants.
///
/// Texts and names in it are those that the person gave; it never carries a key, a share or a passphrase.
public enum CustodyError: Error, Equatable, Sendable {
    /// A name must be 1 to 64 of `a-z A-Z 0-9 . _ -`, and start with a letter or a digit.
    case badWalletName
    /// There is a wallet of this name already.
    case walletExists(name: String)
    /// There is no wallet of this name.
    case noSuchWallet(name: String)
    /// The public description of the wallet does not parse, or contradicts itself.
    case damagedWallet(name: String, reason: String)
    /// A share of the wallet cannot be used.
    case share(ShareLocation, ShareFault)
    /// A file that a person named as a share's, or where one would be written, is not what it should be.
    case shareFile(path: String, ShareFileFault)
    /// The shares were not renewed.
    case renewal(RenewalFault)
    /// The wallet has no share of this name.
    case noSuchShare(name: String)
    /// What a file of a share, its counts or the book holds does not parse.
    case malformedRecord
    /// A transaction, an address, an amount or a key is malformed.
    case wallet(WalletError)
    /// A ceremony between the participants that hold the shares failed, or none was begun.
    case ceremony(CeremonyError)
    /// A path with control characters: a description that named it would be refused.
    case unusablePath
    /// A folder that a file should go to is not there and cannot be made.
    case noFolder(path: String, SecureStorageError)
    /// A public file cannot be read or written.
    case file(SecureStorageError)
    /// The wallet's book cannot be used, or does not take what it was given.
    case book(BookFault)
    /// The file of a policy is wrong.
    case badPolicy(PolicyFault)
    /// The file of an approval is none, or a key or digest of another size.
    case badApproval
    /// The file of an approver's key cannot be made or opened.
    case approverKey(path: String, SecureStorageError)
    /// The file of a proposal is none.
    case badProposal
}

/// Runs a step of a ceremony, whose errors become those of this library.
func inCeremony<Value: ~Copyable>(_ step: () throws(CeremonyError) -> Value) throws(CustodyError) -> Value {
    do { return try step() } catch { throw CustodyError(error) }
}

extension CustodyError {
    /// What a ceremony ended with: what this library itself said through one of the ports, or ``ceremony(_:)``.
    public init(_ error: CeremonyError) {
        switch error {
        case .port(let port): self = port.cause as? CustodyError ?? .ceremony(error)
        case .wallet(let error): self = .wallet(error)
        case .noSuchShare(let index): self = .noSuchShare(name: ShareLocation(index: index).name)
        default: self = .ceremony(error)
        }
    }

    /// The same, as a ledger or an authorizer says it to the participant that it belongs to.
    var throughPort: CeremonyError {
        switch self {
        case .ceremony(let error): error
        case .wallet(let error): .wallet(error)
        default: .port(PortError(self))
        }
    }
}

extension CustodyError {
    /// A derivation path or a key that is wrong: ``wallet(_:)``.
    static func key(_ error: HDKeyError) -> CustodyError { .wallet(.key(error)) }
}

extension CustodyError {
    /// Whether another program has the wallet's book, so that the same call may go well in a moment.
    public var isBusy: Bool {
        switch self {
        case .book(.unreadable(_, .lockedByAnother(_))), .book(.notWritable(_, .lockedByAnother(_))): true
        default: false
        }
    }
}
