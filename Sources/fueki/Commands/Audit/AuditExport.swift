internal import ArgumentParser
internal import AuditLog
internal import Presentation
internal import Terminal
internal import Texts

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
