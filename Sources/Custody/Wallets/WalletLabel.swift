internal import Files

/// The name that the user has given to a wallet after it was made: the file `label` in the wallet's folder.
///
/// The label belongs to this machine. The wallet keeps its own name, which is sealed in its share files and in its book
/// and is part of the names of its files; a renamed wallet is restored from any share file, older or newer
/// ([decision](../../../docs/adr/0021-a-new-name-is-a-label.md)).
struct WalletLabel: Equatable, Sendable {
    /// The label; the wallet's own name if the user has taken an earlier label away.
    let label: WalletName
    /// The label by which the last renaming named the wallet; nil if it was the wallet's own name. A repetition of an
    /// interrupted command finds the wallet by it.
    let former: WalletName?

    /// The file: the label on one line, and the former label, if there is one, on a second.
    var encoded: [UInt8] { Array(([label] + (former.map { [$0] } ?? [])).map { "\($0)\n" }.joined().utf8) }

    init(_ label: WalletName, former: WalletName?) { (self.label, self.former) = (label, former) }

    /// Reads a file.
    ///
    /// - Throws: ``CustodyError/malformedRecord`` for anything but the form of ``encoded``.
    init(decoding bytes: [UInt8]) throws(CustodyError) {
        guard bytes.count <= Limits.labelSize, bytes.last == UInt8(ascii: "\n") else { throw .malformedRecord }
        let lines = bytes.dropLast().split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let names = lines.compactMap { try? WalletName(String(decoding: $0, as: UTF8.self)) }
        guard names.count == lines.count, names.count <= 2, let label = names.first else { throw .malformedRecord }
        self.init(label, former: names.count == 2 ? names.last : nil)
    }
}

/// A reason not to give a label to a wallet, or not to use one.
public enum LabelFault: Error, Equatable, Sendable {
    /// This wallet has the label already.
    case taken(label: String, wallet: String)
    /// Several wallets have the label, so it names none of them.
    case ambiguous(label: String, wallets: [String])
}

extension WalletHome {
    /// Returns the wallet's label on this machine; nil if it has none.
    ///
    /// A damaged file counts as missing: the wallet still has its own name, and another renaming replaces the file.
    ///
    /// - Warning: The label is not sealed. A program that can write to this folder can exchange the labels of two
    ///   wallets, so the wallet's own name is shown beside it before anything is signed.
    public func label(of name: WalletName) -> WalletName? {
        guard let label = storedLabel(of: name)?.label, label != name else { return nil }
        return label
    }

    /// Returns the wallet's own name, given the name by which the user calls the wallet.
    ///
    /// A wallet's own name always means this wallet, whatever labels say, so that no label can take a wallet away.
    ///
    /// - Throws: ``CustodyError/noSuchWallet(name:)``, ``CustodyError/unfinishedCreation(name:)``,
    ///   ``LabelFault/ambiguous(label:wallets:)``.
    public func name(ofWalletCalled called: WalletName) throws(CustodyError) -> WalletName {
        if FolderCreation.isOccupied(recordPath(of: called)) { return called }
        let found = names().filter { label(of: $0) == called }
        guard let first = found.first else {
            if isUnfinished(called) { throw .unfinishedCreation(name: called.description) }
            throw .noSuchWallet(name: called.description)
        }
        guard found.count == 1 else {
            throw .label(.ambiguous(label: called.description, wallets: found.map(\.description)))
        }
        return first
    }

    /// Reads the description of the wallet that the user calls by this name: its own name, or its label.
    ///
    /// - Throws: as ``name(ofWalletCalled:)`` and ``wallet(_:)``.
    public func wallet(called: WalletName) throws(CustodyError) -> WalletRecord {
        try wallet(try name(ofWalletCalled: called))
    }

    /// Returns all names that name a wallet here: own names and labels, sorted.
    public func allNames() -> [WalletName] {
        names().flatMap { name in [name] + (label(of: name).map { [$0] } ?? []) }
            .sorted { $0.description < $1.description }
    }

    /// Gives a wallet a new label on this machine. The wallet's own name takes an earlier label away.
    ///
    /// One small file is replaced in one step, and no share file and no book is opened. After an interruption the wallet
    /// has the old label or the new one, and the same call succeeds in both cases.
    ///
    /// - Parameters:
    ///   - called: the wallet's own name, or its label.
    ///   - new: the new label.
    /// - Throws: ``CustodyError/noSuchWallet(name:)``; ``CustodyError/walletExists(name:)`` if another wallet has this
    ///   name; ``LabelFault/taken(label:wallet:)``, ``LabelFault/ambiguous(label:wallets:)``;
    ///   ``CustodyError/file(_:)``.
    /// - Returns: the wallet's own name.
    @discardableResult
    public func rename(_ called: WalletName, to new: WalletName) throws(CustodyError) -> WalletName {
        let lock = try lockLabels(toRename: called)
        defer { _ = consume lock }
        let name: WalletName
        do { name = try self.name(ofWalletCalled: called) } catch .noSuchWallet {
            // An interrupted call may have replaced the label that it was given.
            let renamed = names().filter { storedLabel(of: $0) == WalletLabel(new, former: called) }
            guard let first = renamed.first, renamed.count == 1 else {
                throw .noSuchWallet(name: called.description)
            }
            return first
        }
        guard new != label(of: name) ?? name else { return name }
        if new != name {
            if FolderCreation.isOccupied(recordPath(of: new)) { throw .walletExists(name: new.description) }
            try requireNoLabel(new)
        }
        do {
            try AtomicFile.write(
                WalletLabel(new, former: called == name ? nil : called).encoded, to: "\(folder(of: name))/label",
                replacing: .allowed)
        } catch { throw .file(error) }
        return name
    }

    /// Checks that no wallet has this label, before a wallet of this name is made or restored.
    ///
    /// - Throws: ``LabelFault/taken(label:wallet:)``.
    func requireNoLabel(_ label: WalletName) throws(CustodyError) {
        guard let owner = names().first(where: { self.label(of: $0) == label }) else { return }
        throw .label(.taken(label: label.description, wallet: owner.description))
    }

    /// Locks out every other renaming in this folder while the lock exists.
    private func lockLabels(toRename called: WalletName) throws(CustodyError) -> FileLock {
        do { return try FileLock(on: "\(path)/wallets/.labels") } catch .notFound {
            throw .noSuchWallet(name: called.description)
        } catch { throw .file(error) }
    }

    private func storedLabel(of name: WalletName) -> WalletLabel? { storedLabel(in: folder(of: name)) }

    /// Returns what the file in a wallet's folder says; nil if it is missing or damaged.
    func storedLabel(in folder: String) -> WalletLabel? {
        guard
            let bytes = try? AtomicFile.read("\(folder)/label", limit: Limits.labelSize, access: .ownerOnly)
        else { return nil }
        return try? WalletLabel(decoding: bytes)
    }
}
