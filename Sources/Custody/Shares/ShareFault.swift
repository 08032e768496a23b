public import SecureStorage

/// The reasons why a share of a wallet cannot be used. Paths are of the share file, unless the case says otherwise.
public enum ShareFault: Error, Equatable, Sendable {
    /// The file is not where the wallet says.
    case missing(path: String, place: MissingPlace)
    /// The file cannot be opened.
    case unreadable(path: String, SecureStorageError)
    /// The passphrase does not open the file, and a change of the passphrase at this time, in seconds since 1970, did not
    /// reach it: it may open with the passphrase from before.
    case behind(path: String, since: Int64)
    /// The file opens, and contains something other than this wallet's share of this index and epoch.
    case foreign(path: String)
    /// The file contains this share of this wallet from another epoch.
    case otherEpoch(path: String, found: Int, wallet: Int)
    /// The share is from an older version, and signs no ECDSA until the next renewal (``WalletRenewal``).
    case outdated(path: String)
    /// The file cannot be written. ECDSA needs that, because a ban must be stored.
    case notWritable(path: String, SecureStorageError)
    /// The file cannot be made.
    case notMade(path: String, SecureStorageError)
    /// Too many ECDSA sessions with this share were interrupted. It takes part in none until the next renewal.
    case tooManyUnfinishedSignatures(limit: Int)
    /// Too many ECDSA signatures with this share failed although every check passed. It signs none until the next
    /// renewal.
    case tooManyFailedSignatures(limit: Int)
    /// The file of the share's counts, beside the share file, is missing. Without it the share signs no ECDSA.
    case countsMissing(path: String)
    /// The file of counts is not this share's: it was left over from another wallet, or exchanged.
    case foreignCounts(path: String)
}

/// The state of the folder in which a share is missing.
public enum MissingPlace: Equatable, Sendable {
    /// The folder is under a mount point, and nothing is mounted there.
    case unmounted
    /// The folder exists, without the file.
    case folderIsThere
    /// The folder does not exist.
    case noFolder

    /// Examines the folder of a missing file.
    init(of path: String, on disks: Disks = .real) {
        let folder = String(path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex))
        self = disks.isUnmounted(folder) ? .unmounted : disks.isThere(folder) ? .folderIsThere : .noFolder
    }
}

/// The reasons why a file that the user named as a share file, or the place for a new one, cannot be used.
public enum ShareFileFault: Error, Equatable, Sendable {
    /// It cannot be opened.
    case unreadable(SecureStorageError)
    /// It is a vault without a share.
    case notAShare
    /// It is a share of a wallet of another name.
    case ofAnotherWallet(wallet: String)
    /// It does not belong to the files that were named before it, or is the same share again.
    case disagrees
    /// It is a share of the same wallet, but of another epoch than the files that were named before it. `before` is the
    /// epoch of the first.
    case otherEpoch(found: Int, before: Int)
    /// It is in place of a new share or its counts. No share is ever overwritten.
    case inTheWay
}
