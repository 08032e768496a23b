internal import ArgumentParser
internal import AuditLog
internal import Terminal
internal import Texts

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
