internal import ArgumentParser
internal import Presentation
internal import Terminal
internal import Texts

struct AuditShow: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Read the entries with the owner's key.",
        discussion: """
            Shows the last entries, or with --from those from a number on. Entries that say only that the log was opened \
            or closed are left out without --all. With --json, one line for each entry. The log is verified while it is \
            read. An act without an end was interrupted, and may have had an effect.

            EXAMPLES
              fueki audit show savings
              fueki audit show ./log --reader-key owner.key --from 0
            """)

    @OptionGroup var log: LogOptions
    @OptionGroup var reader: ReaderKeyOption

    @Option(help: .value("number", "The first entry to show."))
    var from: UInt64?

    @Option(help: .value("number", "The most entries to show."))
    var count = 100

    @Flag(help: "Show also when the log was opened and closed.")
    var all = false

    @OptionGroup var global: GlobalOptions

    func validate() throws {
        guard (1...100_000).contains(count) else { throw ValidationError("--count is from 1 to 100000") }
    }

    func perform(_ output: Output) async throws(Failure) {
        let log = try await log.named(readerKey: reader.readerKey, in: global)
        guard log.readerKey != nil else {
            throw .usage(
                "the key of the log's reader is missing",
                hint: "give --reader-key FILE, or --keys-of WALLET for an earlier log of a wallet")
        }
        var list = AuditEntryList(from: from, count: count, hasOpenings: all)
        let view = try log.view { sequence, record in list.add(record, at: sequence) }
        try output.lines(list.listed) { list.text(isOfWallet: log.wallet != nil) }
        if let failure = view.failure { throw failure }
    }
}
