internal import Files
internal import SecureStorage

/// The visible traces of a change of a wallet's passphrase, read without a passphrase.
public struct PassphraseCondition: Equatable, Sendable {
    /// A share file that still opens with a passphrase from before.
    public struct Behind: Equatable, Sendable {
        /// The share.
        public let share: ShareRecord
        /// The first change that did not reach it, in seconds since 1970.
        public let since: Int64
    }

    /// The paths of files that more than one passphrase may open, because a change was interrupted.
    public let interrupted: [String]
    /// The shares that the last changes did not reach.
    public let behind: [Behind]
}

extension WalletHome {
    /// Returns the traces of a change of the wallet's passphrase. Files that cannot be read show none.
    public func passphraseCondition(of wallet: WalletRecord) -> PassphraseCondition {
        let files = wallet.shares.map(\.path) + [bookPath(of: wallet.name)]
        let backlog = (try? passphraseBacklog(of: wallet.name)) ?? PassphraseBacklog()
        return PassphraseCondition(
            interrupted: files.filter { path in (try? VaultFile.head(ofFileAt: path)).map { $0.slotCount > 1 } ?? false
            },
            behind: wallet.shares.compactMap { share in
                backlog.since(share.location, wallet.epoch).map { PassphraseCondition.Behind(share: share, since: $0) }
            })
    }

    /// Returns the error of opening a share, with the cause of a refused passphrase if it is known: an older copy of the
    /// file is in its place, or a change of the passphrase did not reach it.
    package func explained(_ error: CustodyError, of wallet: WalletRecord) -> CustodyError {
        guard case .share(let location, .unreadable(let path, .wrongPassphrase)) = error else { return error }
        if let head = try? VaultFile.head(ofFileAt: path), let seen = try? lastSeen(head.id, of: wallet.name),
            head.generation < seen
        {
            return .share(location, .unreadable(path: path, .rolledBack(found: head.generation, expected: seen)))
        }
        if let since = (try? passphraseBacklog(of: wallet.name))?.since(location, wallet.epoch) {
            return .share(location, .behind(path: path, since: since))
        }
        return error
    }

    /// Returns the last generation of a share file that this machine has seen; nil if it has seen none.
    func lastSeen(_ id: VaultID, of name: WalletName) throws(SecureStorageError) -> UInt64? {
        try GenerationFolder(at: generations(of: name)).lastSeen(of: id)
    }
}
