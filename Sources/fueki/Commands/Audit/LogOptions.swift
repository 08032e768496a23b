internal import ArgumentParser
internal import AuditLog
internal import Custody
internal import Encoding
internal import ErrorTexts
internal import Foundation
internal import Presentation
internal import Terminal
internal import Texts
internal import WalletBooks

/// The log that a command reads, with what is known of it.
struct NamedLog {
    let folder: String
    /// The keys and checkpoints in the book of the wallet whose log this is; nil for a folder.
    let wallet: WalletLog?
    /// The key that signs the log's checkpoints, if it is known.
    let signingKey: NoteKey?
    /// The key that opens the entries, if it is known.
    let readerKey: ReaderKey?
    /// The checkpoints that the user named, with verified signatures.
    let checkpoints: [(note: SignedNote, checkpoint: Checkpoint)]

    /// Verifies the log.
    ///
    /// - Parameter visit: is called with each entry that was opened.
    func view(visit: @escaping (UInt64, AuditRecord) -> Void = { _, _ in }) throws(Failure) -> AuditReportView {
        let reader = try reader()
        return try attempt { () throws(CustodyError) in
            do throws(AuditLogError) {
                let compared = try (wallet?.known ?? []) + checkpoints.map(\.checkpoint)
                let report = try LogVerification.report(
                    on: reader, identity: try wallet?.identity ?? reader.identity, checkpoints: compared,
                    key: readerKey, visit: visit)
                return AuditReportView(
                    report, of: reader.identity, logKey: signingKey, checkpoints: compared.count)
            } catch { throw .log(path: folder, error) }
        }
    }

    /// Opens the log, whose origin and reader have to be those of the keys.
    func reader() throws(Failure) -> LogReader {
        let reader: LogReader
        do throws(AuditLogError) { reader = try LogReader(at: folder) } catch {
            throw wallet == nil ? error.failure : CustodyError.log(path: folder, error).failure
        }
        guard wallet == nil else { return reader }
        if let signingKey, !signingKey.name.utf8.elementsEqual(reader.identity.origin.utf8) {
            throw Failure(
                code: .refused, name: "other_log",
                message: "--log-key is the key of '\(signingKey.name)', and the log is '\(reader.identity.origin)'")
        }
        if let readerKey, readerKey.publicKey != reader.identity.reader {
            throw Failure(
                code: .refused, name: "other_reader",
                message: "the private key is not that of this log's reader, \(Hex.encode(reader.identity.reader))")
        }
        return reader
    }

    /// Returns the signing key, for a command that needs it.
    func requiredKey() throws(Failure) -> NoteKey {
        guard let signingKey else { throw .usage("a log in a folder needs --log-key and --checkpoint") }
        return signingKey
    }

    /// Returns the newest checkpoint: of those that the user named, or the wallet's last one.
    func requiredCheckpoint() throws(Failure) -> SignedNote {
        guard let note = checkpoints.max(by: { $0.checkpoint.size < $1.checkpoint.size })?.note ?? wallet?.checkpoint
        else { throw .usage("a log in a folder needs --log-key and --checkpoint") }
        return note
    }
}

/// The options that name a log, its keys and its checkpoints.
struct LogOptions: ParsableArguments {
    @Argument(
        help: "A wallet's name, or the folder of a log ('./NAME' if a wallet has the same name).",
        completion: .directory)
    var log: String

    @Option(help: .value("key", "The public key of the log in a folder: name+id+key, as its owner published it."))
    var logKey: String?

    @Option(file: "A checkpoint that was kept elsewhere. Give this option once for each.")
    var checkpoint: [String] = []

    @Option(
        help: .value("wallet", "Read the log in a folder with the keys of this wallet: an earlier log of the wallet."))
    var keysOf: String?

    @OptionGroup var passphrase: PassphraseOptions

    /// Finds the log and its keys. For a wallet's it asks for the passphrase.
    ///
    /// - Parameter readerKey: the file of the owner's key, for a log in a folder.
    func named(readerKey: String? = nil, in global: GlobalOptions) async throws(Failure) -> NamedLog {
        if let record = try wallet(in: global) {
            guard logKey == nil, readerKey == nil, keysOf == nil else {
                throw .usage("'\(log)' is a wallet, whose book has the keys of its log; './\(log)' is a folder")
            }
            let keys = try await keys(of: record, in: global)
            return NamedLog(
                folder: keys.folder, wallet: keys, signingKey: keys.signingKey, readerKey: keys.readerKey,
                checkpoints: try notes(signedBy: keys.signingKey))
        }
        guard FileManager.default.fileExists(atPath: log) else {
            throw Failure(
                code: .missing, name: "no_log", message: "there is neither a wallet nor a folder '\(log)'",
                hint: "'fueki wallet list' lists the wallets")
        }
        let reader: ReaderKey?
        if let keysOf {
            guard readerKey == nil else { throw .usage("--keys-of and --reader-key exclude each other") }
            reader = try await keys(of: try global.wallet(named: keysOf), in: global).readerKey
        } else {
            reader = try readerKey.map { file throws(Failure) in try ReaderKey.read(file) }
        }
        let key = try logKey.map { text throws(Failure) in
            do { return try NoteKey(parsing: text) } catch {
                throw Failure(
                    code: .malformed, name: "bad_log_key",
                    message: "--log-key is not a key: name+id+key, as the log's owner published it")
            }
        }
        guard checkpoint.isEmpty || key != nil else {
            throw .usage("--checkpoint needs --log-key, with which it is verified")
        }
        return NamedLog(
            folder: log, wallet: nil, signingKey: key, readerKey: reader, checkpoints: try notes(signedBy: key))
    }

    /// Returns the wallet that the argument names; nil if it names a folder.
    func wallet(in global: GlobalOptions) throws(Failure) -> WalletRecord? {
        guard !log.contains("/"), let name = try? WalletName(log),
            (try? global.walletHome.name(ofWalletCalled: name)) != nil
        else { return nil }
        return try global.wallet(named: log)
    }

    private func keys(of record: WalletRecord, in global: GlobalOptions) async throws(Failure) -> WalletLog {
        let keys = try await passphrase.withBook(of: record, in: global) { (book) async throws(CustodyError) in
            try await book.walletLog()
        }
        guard let keys else {
            throw Failure(
                code: .missing, name: "no_log", message: "the wallet '\(record.name)' has no audit log yet",
                hint: "its first signature, renewal or change of the policy begins one")
        }
        return keys
    }

    /// Reads the checkpoints, and verifies their signatures.
    private func notes(
        signedBy key: NoteKey?
    ) throws(Failure) -> [(note: SignedNote, checkpoint: Checkpoint)] {
        var notes: [(note: SignedNote, checkpoint: Checkpoint)] = []
        for path in checkpoint {
            guard let note = try? SignedNote(decoding: try InputFile.read(path)) else {
                throw Failure(code: .malformed, name: "bad_checkpoint", message: "\(path): not a checkpoint")
            }
            guard let key, let checkpoint = Checkpoint(note, signedBy: key) else {
                throw Failure(
                    code: .refused, name: "bad_checkpoint",
                    message: "\(path): the log's key did not sign the checkpoint")
            }
            notes.append((note, checkpoint))
        }
        return notes
    }
}

/// The option that names the owner's key.
struct ReaderKeyOption: ParsableArguments {
    @Option(file: "A file with the private key of the owner of a log in a folder: 64 hexadecimal digits.")
    var readerKey: String?
}

extension ReaderKey {
    /// Reads the file of an owner's private key.
    fileprivate static func read(_ path: String) throws(Failure) -> ReaderKey {
        let digits = try PassphraseFile.firstLine(of: path)
        do { return try ReaderKey(hexadecimal: digits) } catch {
            throw Failure(
                code: .malformed, name: "bad_reader_key", message: "\(path): not a key of 64 hexadecimal digits")
        }
    }
}
