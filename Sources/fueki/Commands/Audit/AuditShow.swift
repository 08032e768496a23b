internal import ArgumentParser
internal import ErrorTexts
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

    @Option(help: ArgumentHelp("The first entry to show.", valueName: "number"))
    var from: UInt64?

    @Option(help: ArgumentHelp("The most entries to show.", valueName: "number"))
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
        var entries: [AuditEntryView] = []
        var ends: Set<UInt64> = []
        let view = try log.view { sequence, record in
            if let admission = AuditEntryView.admission(endedBy: record) { ends.insert(admission) }
            guard sequence >= from ?? 0, from == nil || entries.count < count else { return }
            let entry = AuditEntryView(record, at: sequence)
            guard all || !entry.isOfOpening else { return }
            // Of a long log only the last entries are kept.
            if entries.count == 2 * count { entries.removeFirst(count) }
            entries.append(entry)
        }
        var shown = from == nil ? entries.suffix(count) : entries[...]
        for index in shown.indices { shown[index].markUnended(besides: ends) }
        let isOfWallet = log.wallet != nil
        try output.lines(Array(shown)) {
            Table(
                [AuditEntryView.titles(isOfWallet: isOfWallet)] + shown.map { $0.cells(isOfWallet: isOfWallet) }
            ).text
        }
        if let failure = view.failure { throw failure }
    }
}
