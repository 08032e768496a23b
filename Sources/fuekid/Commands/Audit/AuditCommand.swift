internal import ArgumentParser

struct AuditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit", abstract: "The audit log of the server: make its reader's key, show its last checkpoint.",
        discussion: """
            The server copies its security events into a log that can only grow. The entries are sealed for the reader; the \
            server cannot read them. `fueki audit` verifies and reads the log.

            EXAMPLES

              fuekid audit key /media/stick/owner.key
              fuekid audit checkpoint --home ./auth >monday.checkpoint
            """,
        subcommands: [AuditKeyCommand.self, AuditCheckpointCommand.self])
}
