internal import ArgumentParser
internal import AuditLog
internal import Presentation
internal import Terminal
internal import Texts

struct AuditCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit", abstract: "Verify, read and export an audit log.",
        discussion: """
            Every wallet has an audit log: an entry for each signature, renewal, change of the policy and restoration, \
            made before the act. What cannot be logged is not done. 'fueki audit show savings' reads the log of the \
            wallet 'savings'.

            The log is a folder of sealed entries. Anybody can verify it; only the owner's key opens the entries. A \
            wallet's keys are in its book. A server's log is verified with its public key, and read with its owner's. \
            Compare it with checkpoints that are kept elsewhere: without one, an earlier state of the log looks like the \
            log.

            EXAMPLES
              fueki audit show savings
              fueki audit verify savings
              fueki audit verify ./log --log-key audit.example+1f…+AX… --checkpoint kept
              fueki audit show ./log --reader-key owner.key
              fueki audit prove ./log 17 -o 17.proof \\
                  --log-key audit.example+1f…+AX… --checkpoint kept
            """,
        subcommands: [
            AuditVerify.self, AuditShow.self, AuditExport.self, AuditProve.self, AuditNew.self,
            AuditWitness.self,
        ])
}

struct AuditVerify: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Find what was cut, changed, forked or set back.",
        discussion: """
            Verifies the tree of the log, compares it with checkpoints, and verifies the seal of each entry if the \
            owner's key is there. A wallet's log is compared with the last checkpoint in its book, and with the last \
            that a witness has cosigned. The exit code is 2 if the log is not the one that was written. For a folder, \
            compare the origin and the reader that are shown with those of your log.

            EXAMPLES
              fueki audit verify savings
              fueki audit verify ./log --log-key audit.example+1f…+AX… --checkpoint kept
            """)

    @OptionGroup var log: LogOptions
    @OptionGroup var reader: ReaderKeyOption
    @OptionGroup var global: GlobalOptions

    func perform(_ output: Output) async throws(Failure) {
        let view = try await log.named(readerKey: reader.readerKey, in: global).view()
        if let failure = view.failure { throw failure }
        try output.result(view)
    }
}

struct AuditExport: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write the log as static files of C2SP tlog-tiles.",
        discussion: """
            The entries stay sealed. Other programs verify the files with the log's public key.

            EXAMPLE
              fueki audit export savings -o savings-log
            """)

    @OptionGroup var log: LogOptions

    @Option(name: .shortAndLong, folder: "The folder to write.")
    var output: String

    @OptionGroup var global: GlobalOptions

    func perform(_ output: Output) async throws(Failure) {
        let log = try await log.named(in: global)
        let (note, key) = (try log.requiredCheckpoint(), try log.requiredKey())
        guard let newest = Checkpoint(note, signedBy: key) else { throw .usage("--checkpoint is missing") }
        let reader = try log.reader()
        try attempt { () throws(AuditLogError) in
            try reader.export(
                to: self.output, checkpoint: note, signedBy: key, history: log.checkpoints.map(\.note))
        }
        try output.receipt(AuditExportView(entries: newest.size, logKey: key.text))
    }
}

struct AuditProve: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "prove", abstract: "Prove that the log has an entry.",
        discussion: """
            The proof has the format of C2SP tlog-proof, and is verified without the log.

            EXAMPLE
              fueki audit prove savings 17 -o 17.proof
            """)

    @OptionGroup var log: LogOptions

    @Argument(help: "The number of the entry.")
    var entry: UInt64

    @Option(name: .shortAndLong, file: "Where it goes; '-' is standard output.")
    var output: String

    @OptionGroup var global: GlobalOptions

    func perform(_ output: Output) async throws(Failure) {
        try OutputFile.check(self.output, output)
        let log = try await log.named(in: global)
        let (note, key) = (try log.requiredCheckpoint(), try log.requiredKey())
        let reader = try log.reader()
        if let checkpoint = Checkpoint(note, signedBy: key), entry >= checkpoint.size {
            throw Failure(
                code: .missing, name: "no_such_entry",
                message: "the checkpoint has \(checkpoint.size) entries, numbered from 0, and no entry \(entry)")
        }
        let proof = try attempt { () throws(AuditLogError) in
            try reader.proof(of: entry, in: note, signedBy: key)
        }
        try output.file(proof.encoded, to: self.output, ["entry": entry]) { "proves entry \(entry)" }
    }
}
