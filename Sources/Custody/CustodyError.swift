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
    case walletExists(name: String)
    case noSuchWallet(name: String)
    /// The public description of the wallet does not parse, or contradicts itself.
    case damagedWallet(name: String, reason: String)
    /// A share's file is not where the wallet says.
    case shareMissing(ShareLocation, path: String)
    /// A share's file cannot be opened.
    case shareUnreadable(ShareLocation, path: String, SecureStorageError)
    /// The file opens, and holds something else than this wallet's share of this index and epoch.
    case foreignShare(ShareLocation, path: String)
    /// The file holds this share of this wallet from before or after the shares were renewed.
    case otherEpoch(ShareLocation, path: String, found: Int, wallet: Int)
    /// The share is from an older version, and signs no ECDSA until the shares are renewed (``WalletRenewal``).
    case outdatedShare(ShareLocation, path: String)
    /// ECDSA is not signed with a share whose file cannot be written: what a cheater did would be forgotten.
    case shareNotWritable(ShareLocation, path: String, SecureStorageError)
    /// A share's file cannot be made.
    case shareNotMade(ShareLocation, path: String, SecureStorageError)
    /// Too many ECDSA sessions with this share broke off in the middle. It takes part in none until the shares are renewed.
    case tooManyUnfinishedSignatures(ShareLocation, limit: Int)
    /// Too many ECDSA signatures with this share failed although every check passed. It signs none until the shares are renewed.
    case tooManyFailedSignatures(ShareLocation, limit: Int)
    /// The file with the counts of a share, which lies beside the share's, is not there. Without it the share signs no ECDSA.
    case countsMissing(ShareLocation, path: String)
    /// A file where the counts of a share belong, and which are not that share's: they were left over from another wallet, or exchanged.
    case foreignCounts(ShareLocation, path: String)
    /// The files of these shares are not there. Each share that is not lost takes part when the shares are renewed.
    case sharesAway([ShareLocation])
    /// The folder of a share that was lost is not there, and the new one is not put elsewhere unasked.
    case placeAway(ShareLocation, folder: String)
    /// A share was given up as lost, and its file is in its place and opens.
    case shareNotLost(ShareLocation, path: String)
    /// The wallet is renewed just now, by that process if it is known.
    case renewalRunning(name: String, processID: Int32?)
    /// A file is of a renewal that this machine does not know of, or of one before those that it knows of; or of another renewal
    /// to the same epoch. `needed` shares sign.
    case renewedElsewhere(name: String, path: String, found: Int, wallet: Int, needed: Int)
    /// Files that were named together are shares of one wallet, from different renewals. `before` is the epoch of the first.
    case mixedEpochs(path: String, found: Int, before: Int)
    /// Fewer shares are there than a renewal needs to begin from; these are missing.
    case tooFewShares(needed: Int, missing: [ShareLocation])
    /// A renewal could not be seen to end. All files, old and new, are there; ``RenewalRemains`` finds out which count.
    case renewalUnfinished(name: String)
    /// A renewal left files behind, and so few of the shares that `wallet.json` names open that none was removed: they may be
    /// the ones that count.
    case renewalUnsettled(name: String, needed: Int)
    /// A file that was named as a share cannot be opened.
    case shareFileUnreadable(path: String, SecureStorageError)
    /// A file that was named as a share is a vault, and holds no share.
    case notAShare(path: String)
    /// A file that was named as a share is one, of a wallet of another name.
    case shareOfAnother(path: String, wallet: String)
    /// A file that was named as a share does not belong to the ones before it, or is the same share once more.
    case sharesDisagree(path: String)
    /// A file where a new share would be written, or its counts. No share is ever overwritten.
    case shareInTheWay(path: String)
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
