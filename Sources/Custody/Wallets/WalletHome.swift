internal import Encoding
internal import Files
internal import Foundation
public import Secrets
public import SecureStorage

/// The folder of a user's wallets.
///
/// ```
/// wallets/NAME/wallet.json             the public description
/// wallets/NAME/creation.json           the same, until every share of a new wallet is in its place
/// wallets/NAME/device.vault            share 1, sealed
/// wallets/NAME/book.vault              policy, contacts and history, sealed
/// wallets/NAME/log-ID/                 the audit log, sealed
/// wallets/NAME/passphrase.json         the shares that a change of the passphrase did not reach
/// wallets/NAME/label                   the name that the user gave the wallet later
/// recovery/fueki-NAME-recovery.vault   share 3, sealed, unless the user put it elsewhere
/// ```
public struct WalletHome: Sendable {
    /// The folder's full path.
    public let path: String

    /// The chip of this machine, for device shares that need it; nil for none. It is used only for such shares.
    public let device: (any DeviceSealer)?

    /// Makes the value. Changes nothing on the disk.
    public init(path: String, device: (any DeviceSealer)? = nil) {
        self.path = absolutePath(path)
        self.device = device
    }

    /// Returns the own names of all wallets, sorted, without their labels. Folders without a wallet are left out.
    public func names() -> [WalletName] {
        folderNames().filter { FileManager.default.fileExists(atPath: recordPath(of: $0)) }
    }

    /// Returns the names of the folders of wallets, sorted.
    func folderNames() -> [WalletName] {
        let entries = (try? FileManager.default.contentsOfDirectory(atPath: "\(path)/wallets")) ?? []
        return entries.sorted().compactMap { try? WalletName($0) }
    }

    /// Reads a wallet's public description. Needs no passphrase, and opens no share.
    ///
    /// - Throws: ``CustodyError/noSuchWallet(name:)``, ``CustodyError/unfinishedCreation(name:)``,
    ///   ``CustodyError/damagedWallet(name:reason:)``, ``CustodyError/file(_:)``.
    public func wallet(_ name: WalletName) throws(CustodyError) -> WalletRecord {
        let bytes: [UInt8]
        do {
            bytes = try AtomicFile.read(recordPath(of: name), limit: Limits.walletRecordSize, access: .anyone)
        } catch .notFound {
            if isUnfinished(name) { throw .unfinishedCreation(name: name.description) }
            throw .noSuchWallet(name: name.description)
        } catch {
            throw .file(error)
        }
        return try WalletRecord(decoding: bytes, name: name)
    }

    /// Opens the file of one share.
    ///
    /// - Throws: ``CustodyError/noSuchShare(name:)``, ``ShareFault/missing(path:place:)``,
    ///   ``ShareFault/unreadable(path:_:)``, ``ShareFault/behind(path:since:)``, ``ShareFault/foreign(path:)``.
    public func open(
        _ location: ShareLocation, of wallet: WalletRecord, passphrase: borrowing SecretBytes
    ) async throws(CustodyError) -> SealedShare {
        do throws(CustodyError) {
            return try await SealedShare.open(location, of: wallet, passphrase: passphrase, device: device)
        } catch { throw explained(error, of: wallet) }
    }

    /// Returns the chip that a new share file is sealed for; nil if a passphrase alone opens it.
    ///
    /// - Throws: ``ShareFault/notMade(path:_:)`` with `BackendFault.required` if this machine has no such chip.
    func device(of share: ShareRecord) throws(CustodyError) -> (any DeviceSealer)? {
        guard let needed = share.device else { return nil }
        guard let device, device.backend == needed else {
            throw .share(share.location, .notMade(path: share.path, .backend(needed, .required)))
        }
        return device
    }

    /// Writes the description of a new wallet. It never replaces one.
    func write(_ wallet: WalletRecord) throws(CustodyError) { try write(wallet, replacing: .refused) }

    /// Replaces the description of an existing wallet.
    func replace(_ wallet: WalletRecord) throws(CustodyError) { try write(wallet, replacing: .allowed) }

    private func write(_ wallet: WalletRecord, replacing: AtomicFile.Replacing) throws(CustodyError) {
        do {
            try AtomicFile.write(try wallet.encoded, to: recordPath(of: wallet.name), replacing: replacing)
        } catch FileError.alreadyExists {
            throw .walletExists(name: wallet.name.description)
        } catch let error as FileError {
            throw .file(error)
        } catch {
            throw .damagedWallet(name: wallet.name.description, reason: "its description cannot be written")
        }
    }

    package func folder(of name: WalletName) -> String { "\(path)/wallets/\(name)" }
    /// Returns the folder in which this machine records the last generation of each share file that it has written.
    func generations(of name: WalletName) -> String { "\(folder(of: name))/seen" }
    /// Returns the generation files that exist now.
    func generationFiles(of name: WalletName) -> [String] {
        let folder = generations(of: name)
        return ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
            .filter { $0.hasSuffix(".generation") }.map { "\(folder)/\($0)" }
    }
    /// Returns whether this machine has a book of the wallet, with its policy, contacts and history.
    public func hasBook(of name: WalletName) -> Bool { FolderCreation.isOccupied(bookPath(of: name)) }
    /// Returns the path of the wallet's book: see `WalletBook`.
    package func bookPath(of name: WalletName) -> String { "\(folder(of: name))/book.vault" }
    /// Returns the folder in which this machine records the book's last generation. It differs from that of the shares,
    /// which a renewal empties.
    package func bookRollbackGuard(of name: WalletName) -> String { "\(folder(of: name))/book.seen" }
    /// Returns the folder of a log of the wallet: see `WalletLog`. The first bytes of its id name it.
    package func logPath(_ id: [UInt8], of name: WalletName) -> String {
        "\(folder(of: name))/\(Self.logPrefix)\(Hex.encode(id.prefix(8)))"
    }
    package static let logPrefix = "log-"
    package static func isLogID(_ text: Substring) -> Bool { (try? Hex.decode(String(text)))?.count == 8 }
    func recordPath(of name: WalletName) -> String { "\(folder(of: name))/\(Self.recordName)" }
    static let recordName = "wallet.json"
}

/// Returns the absolute path without symbolic links, so that it means the same later and elsewhere.
func absolutePath(_ path: String) -> String {
    let path = (path as NSString).expandingTildeInPath
    let whole = path.hasPrefix("/") ? path : "\(FileManager.default.currentDirectoryPath)/\(path)"
    return URL(fileURLWithPath: whole).standardizedFileURL.resolvingSymlinksInPath().path
}
