internal import ArgumentParser

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
