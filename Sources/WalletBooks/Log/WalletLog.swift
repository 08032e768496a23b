public import AuditLog
internal import Custody
internal import Encoding
internal import Files
internal import Secrets
internal import SecureStorage
internal import Time

/// The audit log of a wallet on this machine: an entry for each act with its keys, made before the act (ADR 24).
///
/// The entries are in a folder of their own. The log's keys, the secret of its epoch and its last checkpoint are in
/// the wallet's book: the passphrase seals them, and the book's rollback guard covers them.
public struct WalletLog: Sendable {
    /// The random bytes from which the origin and the folder have their names.
    let id: [UInt8]
    /// The folder of the entries, which `LogReader` reads.
    public let folder: String
    /// The public key that signs the log's checkpoints; its name is the origin.
    public let signingKey: NoteKey
    /// The key that opens the entries.
    public let readerKey: ReaderKey
    /// The last checkpoint that this machine has signed; nil before the first one.
    public let checkpoint: SignedNote?

    /// The state of the log when the book was written last; nil before that.
    let state: Checkpoint?

    static let publishedSuffix = ".published"
    static let idSize = 16

    /// The folder of the checkpoints that witnesses have cosigned, one file each.
    public var published: String { folder + Self.publishedSuffix }

    private let signer: Ed25519Signer
    private let file: BookFile

    /// Reads the keys from the book.
    ///
    /// - Throws: `CustodyError.book(_:)` with `BookFault.damaged(path:)` if one is missing.
    init(id: [UInt8], of wallet: WalletRecord, in home: WalletHome, file: BookFile) async throws(CustodyError) {
        guard id.count == Self.idSize, let seed = try await file.log(.signingKey),
            let secret = try await file.log(.readerKey),
            let signer = try? Ed25519Signer(name: "fueki-wallet/\(Hex.encode(id))", seed: seed),
            let readerKey = try? ReaderKey(secret)
        else { throw .book(.damaged(path: file.path)) }
        (self.id, self.signer, self.readerKey, self.file) = (id, signer, readerKey, file)
        signingKey = signer.key
        folder = home.logPath(id, of: wallet.name)
        state = try await file.logState(.state)
        do { checkpoint = try await BookCheckpoints(file: file).last(of: signer.key.name) } catch {
            throw .book(.damaged(path: file.path))
        }
    }

    /// Verifies the log, and reads its entries.
    ///
    /// - Parameters:
    ///   - checkpoints: those that were kept elsewhere, with verified signatures. The last one of this machine and the
    ///     last one that a witness has cosigned are compared in any case.
    ///   - visit: is called with each entry, in order.
    /// - Throws: `AuditLogError` if the files cannot be read. The report contains the faults of the log.
    public func report(
        comparing checkpoints: [Checkpoint] = [], visit: @escaping (UInt64, AuditRecord) -> Void = { _, _ in }
    ) throws(AuditLogError) -> VerificationReport {
        try LogVerification.report(
            on: try LogReader(at: folder), identity: identity, checkpoints: try known + checkpoints, key: readerKey,
            visit: visit)
    }

    /// The origin of the log, and the key of its reader.
    public var identity: LogIdentity {
        get throws(AuditLogError) { try LogIdentity(origin: signingKey.name, reader: readerKey.publicKey) }
    }

    /// The checkpoints with which ``report(comparing:visit:)`` compares the log.
    public var known: [Checkpoint] {
        get throws(AuditLogError) {
            var notes = [checkpoint].compactMap(\.self)
            if FolderCreation.isOccupied(published),
                let last = try CheckpointFolder(at: published, apartFrom: folder).last(of: signingKey.name)
            {
                notes.append(last)
            }
            return notes.compactMap { Checkpoint($0, signedBy: signingKey) } + [state].compactMap(\.self)
        }
    }

    /// Opens the log for writing, and makes it if nothing was ever logged in it.
    func open(random: any RandomSource, now: @escaping @Sendable () -> ClockReading) async throws(CustodyError)
        -> AuditLog
    {
        // The first entry is acknowledged only after its epoch's secret is in the book.
        let isNew = try await file.log(.epochSecret) == nil && checkpoint == nil && state == nil
        do throws(AuditLogError) {
            if !isNew { try checkTail() }
            var setup = try AuditLogSetup(
                folder: folder, reader: readerKey.publicKey, secrets: BookEpochSecret(file: file), signer: signer,
                checkpoints: BookCheckpoints(file: file, published: (folder: published, log: folder)),
                epochLength: .init(entries: Limits.logEpochEntries, seconds: Limits.logEpochSeconds), random: random,
                now: now)
            setup.known = [state].compactMap(\.self)
            do throws(AuditLogError) { return try await AuditLog.open(setup) } catch .notFound where isNew {
                return try await AuditLog.create(setup)
            }
        } catch { throw .log(path: folder, error) }
    }
}

extension WalletLog {
    /// Verifies the log if it has entries behind every state that is known: after an interruption, or because somebody
    /// without the passphrase has added some.
    ///
    /// - Throws: `AuditLogError.damaged(sequence:)` if an entry is not one that this wallet has written.
    private func checkTail() throws(AuditLogError) {
        let known = try known.map(\.size).max() ?? 0
        guard try LogReader(at: folder).size > known else { return }
        guard try report().isSound else { throw .damaged(sequence: known) }
    }
}

/// The secret of the log's epoch, in the book.
private struct BookEpochSecret: EpochSecretStore {
    let file: BookFile

    func load() async throws(CustodyError) -> SecretBytes? { try await file.log(.epochSecret) }

    func replace(with secret: borrowing SecretBytes) async throws {
        try await file.keepForLog(.epochSecret, secret)
    }
}

extension BookFile {
    /// Stores an item for the log. A full disk is reported as such: it is no fault of the secret or of the checkpoint.
    fileprivate func keepForLog(_ item: LogItem, _ secret: borrowing SecretBytes) async throws {
        do throws(CustodyError) { try await saveLog(item, secret) } catch .book(.notWritable(_, .diskFull)) {
            throw AuditLogError.diskFull
        }
    }
}

/// The last checkpoint of the log, in the book. Those that a witness has cosigned are also kept, one file each.
private struct BookCheckpoints: CheckpointStore {
    let file: BookFile
    var published: (folder: String, log: String)?

    func last(of origin: String) async throws -> SignedNote? {
        guard let bytes = try await file.log(.checkpoint) else { return nil }
        let note = try SignedNote(decoding: bytes.withUnsafeBytes { Array($0) })
        return try Checkpoint(parsing: note.text).origin == origin ? note : nil
    }

    func keep(_ note: SignedNote, of checkpoint: Checkpoint) async throws {
        if let published, note.signatures.count > 1 {
            try CheckpointFolder(at: published.folder, apartFrom: published.log).keep(note, of: checkpoint)
        }
        let last = try await last(of: checkpoint.origin).map { try Checkpoint(parsing: $0.text) }
        guard last?.size ?? 0 <= checkpoint.size else { return }
        var bytes = note.encoded
        try await file.keepForLog(.checkpoint, SecretBytes(moving: &bytes))
    }
}
