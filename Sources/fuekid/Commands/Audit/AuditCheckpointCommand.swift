internal import ArgumentParser
internal import AuthOperations
internal import Terminal

struct AuditCheckpointCommand: FuekidCommand {
    static let configuration = CommandConfiguration(
        commandName: "checkpoint", abstract: "Print the last checkpoint of the audit log.",
        discussion: """
            A checkpoint is the size and the root of the log, signed by its key. Kept on another machine, it shows later \
            whether the log was cut or changed: fueki audit verify --checkpoint. A running server signs one every ten \
            minutes if there are new entries, and has the last one at /audit/checkpoint.

            Needs no passphrase. Changes nothing.

            EXAMPLE

              fuekid audit checkpoint --home ./auth >monday.checkpoint
            """)

    @OptionGroup var options: ServerOptions

    private struct Result: Encodable {
        let checkpoint: String
        let entries: UInt64
    }

    func perform(_ output: Output) async throws {
        let report = try AuditOperations.lastCheckpoint(try options.configuration(), home: options.serverHome)
        try output.result(Result(checkpoint: report.note, entries: report.entries)) {
            // The line ending of the note is that of the output.
            String(report.note.dropLast())
        }
    }
}
