public import SecureStorage

/// The reasons why the passphrase of a wallet was not changed, or not in every file.
public enum PassphraseFault: Error, Equatable, Sendable {
    /// A file opens with neither the present passphrase nor the new one. Nothing was changed.
    case neither(path: String)
    /// The new passphrase is the present one, and no change was interrupted. Nothing was changed.
    case same
    /// None of the wallet's share files is in its place and writable. Nothing was changed.
    case nothingReachable
    /// A renewal of the shares was interrupted, so that it is not known which files count. Nothing was changed.
    case unfinishedRenewal(name: String)
    /// The change was interrupted at this file. Until the same change is made again, some files open with both
    /// passphrases.
    case interrupted(path: String, SecureStorageError)
}
