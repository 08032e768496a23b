internal import Ceremonies
public import Secrets
internal import SecureStorage
internal import Threshold

/// Rebuilds the description of a wallet on a machine that does not have it, from the sealed files of its shares; or tells a
/// wallet that is there where files of its shares are now.
///
/// Each file holds a copy of the description that nobody can change without the passphrase, so one file is enough to see the
/// wallet again; to sign, as many are needed as ever. The files stay where they are.
public struct WalletRestoration: Sendable {
    let name: WalletName
    let home: WalletHome

    /// - Parameter name: the wallet's name, as it was.
    public init(name: WalletName, home: WalletHome) {
        self.name = name
        self.home = home
    }

    /// Tells what is in the way, before a passphrase is asked for.
    ///
    /// - Throws: ``CustodyError/damagedWallet(name:reason:)`` for a description that is there and cannot be read.
    public func check() throws(CustodyError) { _ = try existing() }

    private func existing() throws(CustodyError) -> WalletRecord? {
        FolderCreation.isOccupied(home.recordPath(of: name)) ? try home.wallet(name) : nil
    }

    /// Opens the files, and writes the description that all of them agree on, with the places where they lie now. A share
    /// that is not among them keeps the place where it was.
    ///
    /// - Parameter files: one or more sealed shares of the wallet, each another one.
    /// - Throws: as ``check()``, ``CustodyError/unusablePath``, ``ShareFileFault/unreadable(_:)``,
    ///   ``ShareFileFault/notAShare``, ``ShareFileFault/ofAnotherWallet(wallet:)``,
    ///   ``ShareFileFault/disagrees``, ``ShareFileFault/otherEpoch(found:before:)``,
    ///   ``RenewalFault/elsewhere(name:path:found:wallet:needed:)`` if the wallet that is there has other shares,
    ///   ``CustodyError/walletExists(name:)`` if it is another one, ``RenewalFault/running(name:processID:)``,
    ///   ``CustodyError/noFolder(path:_:)``, ``CustodyError/file(_:)``.
    public func run(files: [String], passphrase: borrowing SecretBytes) async throws(CustodyError) -> WalletRecord {
        let existing = try existing()
        var agreed: WalletRecord?
        var paths: [ShareLocation: String] = [:]
        for file in files {
            let path = absolutePath(file)
            guard ShareRecord.isPath(path) else { throw .unusablePath }
            let sealed = try await SealedShare.open(fileAt: path, passphrase: passphrase)
            let record = sealed.record
            guard record.name == name else {
                throw .shareFile(path: path, .ofAnotherWallet(wallet: record.name.description))
            }
            let location = ShareLocation(index: sealed.keys.index.value)
            if let agreed, agreed.isOtherRenewal(of: record) {
                throw .shareFile(path: path, .otherEpoch(found: record.epoch, before: agreed.epoch))
            }
            // A share of the same name, and of another key, network or day, is another wallet's.
            guard agreed == nil || agreed == record else { throw .shareFile(path: path, .disagrees) }
            guard paths.updateValue(path, forKey: location) == nil else { throw .shareFile(path: path, .disagrees) }
            agreed = record
        }
        guard let agreed else { throw .ceremony(.wrongNumberOfShares(needed: 1, given: 0)) }
        if let existing { return try update(existing, to: agreed, paths) }
        let wallet = agreed.with(sharesAt: paths)
        let folder = home.folder(of: name)
        do { try FolderCreation.make(folder) } catch { throw .noFolder(path: folder, error) }
        // What a renewal left to be removed, it left as seen from another description. From this one, files that sign could look
        // like remains.
        try home.removeJournal(of: name)
        try home.write(wallet)
        return wallet
    }

    /// Tells a wallet that is there where files of its shares are; or lets it follow a renewal by another machine.
    private func update(
        _ existing: WalletRecord, to agreed: WalletRecord, _ paths: [ShareLocation: String]
    ) throws(CustodyError) -> WalletRecord {
        let lock = try home.lockRenewals(of: name)
        defer { _ = consume lock }
        if existing.isSameWallet(as: agreed) {
            let wallet = existing.with(sharesAt: paths)
            try home.replace(wallet)
            return wallet
        }
        guard existing.isOtherRenewal(of: agreed) else { throw .walletExists(name: name.description) }
        // One newer file alone may be what is left of a renewal that came to nothing.
        guard agreed.epoch > existing.epoch, paths.count >= agreed.parameters.threshold else {
            throw .renewal(
                .elsewhere(
                    name: name.description, path: paths.min { $0.key.index < $1.key.index }?.value ?? "",
                    found: agreed.epoch, wallet: existing.epoch, needed: agreed.parameters.threshold))
        }
        let wallet = agreed.with(sharesAt: paths)
        try home.removeJournal(of: name)
        try home.replace(wallet)
        return wallet
    }
}
