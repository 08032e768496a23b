public import SecureStorage

/// Why a share of a wallet cannot be used. Paths are of the share's own file, unless the case says otherwise.
public enum ShareFault: Error, Equatable, Sendable {
    /// The file is not where the wallet says.
    case missing(path: String)
    /// The file cannot be opened.
    case unreadable(path: String, SecureStorageError)
    /// The file opens, and holds something else than this wallet's share of this index and epoch.
    case foreign(path: String)
    /// The file holds this share of this wallet from before or after the shares were renewed.
    case otherEpoch(path: String, found: Int, wallet: Int)
    /// The share is from an older version, and signs no ECDSA until the shares are renewed (``WalletRenewal``).
    case outdated(path: String)
    /// ECDSA is not signed with a share whose file cannot be written: what a cheater did would be forgotten.
    case notWritable(path: String, SecureStorageError)
    /// The file cannot be made.
    case notMade(path: String, SecureStorageError)
    /// Too many ECDSA sessions with this share broke off in the middle. It takes part in none until the shares are renewed.
    case tooManyUnfinishedSignatures(limit: Int)
    /// Too many ECDSA signatures with this share failed although every check passed. It signs none until the shares are renewed.
    case tooManyFailedSignatures(limit: Int)
    /// The file with the counts of the share, which lies beside the share's, is not there. Without it the share signs no ECDSA.
    case countsMissing(path: String)
    /// A file where the counts of the share belong, and which are not that share's: they were left over from another wallet, or
    /// exchanged.
    case foreignCounts(path: String)
}

/// What is wrong with a file that a person named as a share's, or where a share would be written.
public enum ShareFileFault: Error, Equatable, Sendable {
    /// It cannot be opened.
    case unreadable(SecureStorageError)
    /// It is a vault, and holds no share.
    case notAShare
    /// It is a share, of a wallet of another name.
    case ofAnotherWallet(wallet: String)
    /// It does not belong to the files that were named before it, or is the same share once more.
    case disagrees
    /// It is a share of the same wallet, of another renewal than the files that were named before it. `before` is the epoch of the
    /// first.
    case otherEpoch(found: Int, before: Int)
    /// It is where a new share would be written, or its counts. No share is ever overwritten.
    case inTheWay
}
