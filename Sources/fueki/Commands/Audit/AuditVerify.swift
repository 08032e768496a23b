internal import ArgumentParser
internal import Presentation
internal import Terminal
internal import Texts

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
