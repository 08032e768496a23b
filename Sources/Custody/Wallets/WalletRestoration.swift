internal import Ceremonies
internal import Files
public import Secrets
internal import Threshold

/// Rebuilds the description of a wallet from its share files, on a machine that does not have it; or updates the places
/// of an existing wallet's share files.
///
/// Each share file contains a copy of the description, which cannot be changed without the passphrase. So one file
/// suffices to see the wallet again; signing needs a threshold as always. The files stay where they are.
public struct WalletRestoration: Sendable {
    let name: WalletName
    let home: WalletHome

    /// Prepares the restoration of a wallet into a folder.
    ///
    /// - Parameter name: the wallet's former name.
    public init(name: WalletName, home: WalletHome) {
        self.name = name
        self.home = home
    }

    /// Checks for everything that would prevent the restoration, before the user is asked for a passphrase.
    ///
    /// - Throws: ``CustodyError/damagedWallet(name:reason:)`` for an existing description that cannot be read;
    ///   ``LabelFault/taken(label:wallet:)`` if the wallet is not here and another one has its name as a label.
    public func check() throws(CustodyError) { _ = try existing() }

    private func existing() throws(CustodyError) -> WalletRecord? {
        if FolderCreation.isOccupied(home.recordPath(of: name)) { return try home.wallet(name) }
        try home.requireNoLabel(name)
        return nil
    }

    /// Opens the files, and writes the description that all of them agree on, with their present places. A share that
    /// is not among them keeps its recorded place.
    ///
    /// - Parameter files: the files of one or more different shares of the wallet.
    /// - Throws: as ``check()``, ``CustodyError/unusablePath``, ``ShareFileFault/unreadable(_:)``,
    ///   ``ShareFileFault/notAShare``, ``ShareFileFault/ofAnotherWallet(wallet:)``,
    ///   ``ShareFileFault/disagrees``, ``ShareFileFault/otherEpoch(found:before:)``,
    ///   ``RenewalFault/elsewhere(name:path:found:wallet:needed:)`` if the existing wallet has other shares,
    ///   ``CustodyError/walletExists(name:)`` if it is another wallet, ``RenewalFault/running(name:processID:)``,
    ///   ``CustodyError/noFolder(path:_:)``, ``CustodyError/file(_:)``.
    public func run(files: [String], passphrase: borrowing SecretBytes) async throws(CustodyError) -> WalletRecord {
        let existing = try existing()
        var agreed: WalletRecord?
        var paths: [ShareLocation: String] = [:]
        for file in files {
            let path = absolutePath(file)
            guard ShareRecord.isPath(path) else { throw .unusablePath }
            let sealed = try await SealedShare.open(fileAt: path, passphrase: passphrase, device: home.device)
            let record = sealed.record
            guard record.name == name else {
                throw .shareFile(path: path, .ofAnotherWallet(wallet: record.name.description))
            }
            let location = ShareLocation(index: sealed.keys.index.value)
            if let agreed, agreed.isOtherRenewal(of: record) {
                throw .shareFile(path: path, .otherEpoch(found: record.epoch, before: agreed.epoch))
            }
            // A share of the same name with another key, network or day is another wallet's.
            guard agreed == nil || agreed == record else { throw .shareFile(path: path, .disagrees) }
            guard paths.updateValue(path, forKey: location) == nil else { throw .shareFile(path: path, .disagrees) }
            agreed = record
        }
        guard let agreed else { throw .ceremony(.wrongNumberOfShares(needed: 1, given: 0)) }
        if let existing { return try update(existing, to: agreed, paths) }
        let wallet = agreed.with(sharesAt: paths)
        let folder = home.folder(of: name)
        do { try FolderCreation.make(folder) } catch { throw .noFolder(path: folder, error) }
        // The journal describes remains relative to another description. Relative to this one, valid share files could
        // look like remains.
        try home.removeJournal(of: name)
        try home.write(PassphraseBacklog(), of: name)
        // From now on these shares are a wallet's.
        do { try FolderCreation.removeForGood(home.creationPath(of: name)) } catch { throw .file(error) }
        try home.write(wallet)
        return wallet
    }

    /// Records the present places of an existing wallet's share files, or adopts a renewal by another machine.
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
        // A single newer file may be left over from a renewal that failed.
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
