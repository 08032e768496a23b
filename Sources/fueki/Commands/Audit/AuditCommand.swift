internal import ArgumentParser
internal import AuditLog
internal import Encoding
internal import Presentation
internal import Secrets
internal import Terminal
internal import Texts

struct AuditCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit", abstract: "Verify, read and export an audit log.",
        discussion: """
            An audit log is a folder of sealed entries. Anybody can verify it; only the owner's key opens the entries. \
            Compare it with the checkpoints that are kept elsewhere: without one, an earlier state of the log looks like \
            the log.

            EXAMPLES
              fueki audit verify log --log-key audit.example+1f…+AX… --checkpoint kept
              fueki audit show log --reader-key owner.key
              fueki audit prove log 17 -o 17.proof \\
                  --log-key audit.example+1f…+AX… --checkpoint kept
            """,
        subcommands: [AuditVerify.self, AuditShow.self, AuditExport.self, AuditProve.self])
}

/// The options that name the checkpoints of a log.
struct CheckpointOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The log's public key: name+id+key.", valueName: "key"))
    var logKey: String?

    @Option(
        help: ArgumentHelp("A checkpoint that was kept elsewhere. It can be given several times.", valueName: "file"),
        completion: .file())
    var checkpoint: [String] = []

    func validate() throws {
        guard checkpoint.isEmpty || logKey != nil else {
            throw ValidationError("--checkpoint needs --log-key, with which it is verified")
        }
    }

    func key() throws(Failure) -> NoteKey {
        guard let logKey else { throw .usage("--log-key is missing") }
        do { return try NoteKey(parsing: logKey) } catch {
            throw .usage("--log-key is not a key: name+id+key, as the log's owner published it")
        }
    }

    /// Reads the notes, whose signatures are verified.
    func notes() throws(Failure) -> [(note: SignedNote, checkpoint: Checkpoint)] {
        var notes: [(note: SignedNote, checkpoint: Checkpoint)] = []
        for path in checkpoint {
            guard let note = try? SignedNote(decoding: try InputFile.read(path)) else {
                throw Failure(code: .malformed, name: "bad_checkpoint", message: "\(path): not a checkpoint")
            }
            guard let checkpoint = Checkpoint(note, signedBy: try key()) else {
                throw Failure(
                    code: .refused, name: "bad_checkpoint",
                    message: "\(path): the log's key did not sign the checkpoint")
            }
            notes.append((note, checkpoint))
        }
        return notes
    }

    /// The single checkpoint of a command that needs one.
    func single() throws(Failure) -> SignedNote {
        let notes = try notes()
        guard notes.count == 1, let first = notes.first else { throw .usage("give one --checkpoint") }
        return first.note
    }
}

/// The option that names the owner's key.
struct ReaderKeyOption: ParsableArguments {
    @Option(
        help: ArgumentHelp("A file with the owner's private key: 64 hexadecimal digits.", valueName: "file"),
        completion: .file())
    var readerKey: String?

    func key() throws(Failure) -> ReaderKey? {
        guard let readerKey else { return nil }
        let digits = try PassphraseFile.firstLine(of: readerKey)
        let key = digits.withUnsafeBytes { digits -> SecretBytes? in
            guard digits.count == 64 else { return nil }
            return try? SecretBytes(count: 32) { (memory) throws(Failure) in
                for offset in memory.indices {
                    guard let high = Self.value(digits[2 * offset]), let low = Self.value(digits[2 * offset + 1]) else {
                        throw .usage("not hexadecimal")
                    }
                    memory[offset] = high << 4 | low
                }
            }
        }
        guard let key else {
            throw Failure(
                code: .malformed, name: "bad_reader_key", message: "\(readerKey): not a key of 64 hexadecimal digits")
        }
        do { return try ReaderKey(key) } catch { throw error.failure }
    }

    /// Returns the value of a digit, without a table that the cache would reveal.
    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case 0x30...0x39: digit - 0x30
        case 0x41...0x46: digit - 0x41 + 10
        case 0x61...0x66: digit - 0x61 + 10
        default: nil
        }
    }
}

struct AuditVerify: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Find what was cut, changed, forked or set back.",
        discussion: """
            Verifies the tree of the log, compares it with checkpoints, and with --reader-key verifies the seal of each \
            entry. The exit code is 2 if the log is not the one that was written. Compare the origin and the reader that \
            are shown with those of your log.
            """)

    @Argument(help: "The folder of the log.", completion: .directory)
    var log: String

    @OptionGroup var checkpoints: CheckpointOptions
    @OptionGroup var reader: ReaderKeyOption
    @OptionGroup var global: GlobalOptions

    func perform(_ output: Output) async throws(Failure) {
        let reader = try attempt { () throws(AuditLogError) in try LogReader(at: log) }
        let (kept, key) = (try checkpoints.notes().map(\.checkpoint), try self.reader.key())
        let report = try attempt { () throws(AuditLogError) in
            try LogVerification.report(on: reader, identity: reader.identity, checkpoints: kept, key: key)
        }
        let view = AuditReportView(report, of: reader.identity, checkpoints: kept.count)
        if let failure = view.failure { throw failure }
        try output.result(view) { view.text }
    }
}

struct AuditShow: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Read the entries with the owner's key.",
        discussion: "With --json, one line for each entry. The log is verified while it is read.")

    @Argument(help: "The folder of the log.", completion: .directory)
    var log: String

    @Option(help: ArgumentHelp("The first entry to show.", valueName: "number"))
    var from: UInt64 = 0

    @Option(help: ArgumentHelp("The most entries to show.", valueName: "number"))
    var count = 100

    @OptionGroup var checkpoints: CheckpointOptions
    @OptionGroup var reader: ReaderKeyOption
    @OptionGroup var global: GlobalOptions

    func validate() throws {
        guard reader.readerKey != nil else { throw ValidationError("--reader-key opens the entries") }
        guard count > 0 else { throw ValidationError("--count is at least 1") }
    }

    func perform(_ output: Output) async throws(Failure) {
        let reader = try attempt { () throws(AuditLogError) in try LogReader(at: log) }
        let (kept, key) = (try checkpoints.notes().map(\.checkpoint), try self.reader.key())
        var entries: [AuditEntryView] = []
        let report = try attempt { () throws(AuditLogError) in
            try LogVerification.report(
                on: reader, identity: reader.identity, checkpoints: kept, key: key
            ) { sequence, record in
                if sequence >= from, entries.count < count { entries.append(AuditEntryView(record, at: sequence)) }
            }
        }
        try output.lines(entries) { Table([AuditEntryView.titles] + entries.map(\.cells)).text }
        let view = AuditReportView(report, of: reader.identity, checkpoints: kept.count)
        if let failure = view.failure { throw failure }
    }
}

struct AuditExport: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write the log as static files of C2SP tlog-tiles.",
        discussion: "The entries stay sealed. Other programs verify the files with the log's key.")

    @Argument(help: "The folder of the log.", completion: .directory)
    var log: String

    @Option(
        name: .shortAndLong, help: ArgumentHelp("The folder to write.", valueName: "folder"), completion: .directory)
    var output: String

    @OptionGroup var checkpoints: CheckpointOptions
    @OptionGroup var global: GlobalOptions

    func perform(_ output: Output) async throws(Failure) {
        let (notes, key) = (try checkpoints.notes(), try checkpoints.key())
        guard let newest = notes.max(by: { $0.checkpoint.size < $1.checkpoint.size }) else {
            throw .usage("--checkpoint is missing")
        }
        try attempt { () throws(AuditLogError) in
            try LogReader(at: log).export(
                to: self.output, checkpoint: newest.note, signedBy: key, history: notes.map(\.note))
        }
        try output.result(["entries": newest.checkpoint.size]) { "exported entries: \(newest.checkpoint.size)" }
    }
}

struct AuditProve: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "prove", abstract: "Prove that the log has an entry.",
        discussion: "The proof has the format of C2SP tlog-proof, and is verified without the log.")

    @Argument(help: "The folder of the log.", completion: .directory)
    var log: String

    @Argument(help: "The number of the entry.")
    var entry: UInt64

    @Option(
        name: .shortAndLong, help: ArgumentHelp("Where it goes; '-' is standard output.", valueName: "file"),
        completion: .file())
    var output: String

    @OptionGroup var checkpoints: CheckpointOptions
    @OptionGroup var global: GlobalOptions

    func perform(_ output: Output) async throws(Failure) {
        try OutputFile.check(self.output, output)
        let (note, key) = (try checkpoints.single(), try checkpoints.key())
        let proof = try attempt { () throws(AuditLogError) in
            try LogReader(at: log).proof(of: entry, in: note, signedBy: key)
        }
        try output.file(proof.encoded, to: self.output, ["entry": entry]) { "proves entry \(entry)" }
    }
}
