internal import ArgumentParser
internal import Custody
internal import Encoding
internal import Presentation
internal import Terminal
internal import Texts
internal import WalletBooks

struct BookCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "book", abstract: "Take a wallet's contacts and history to another machine.",
        discussion: """
            A wallet's book is what a machine knows of it beside its shares: policy, contacts, history. 'wallet restore' \
            brings a wallet back without it. The policy has a file of its own ('policy show', 'policy set').

            EXAMPLE: the second command runs on the other machine.
              fueki book export savings -o savings-book.json
              fueki book import savings savings-book.json
            """,
        subcommands: [BookExportCommand.self, BookImportCommand.self])
}

struct BookExportCommand: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write contacts, frozen coins and history to a file.",
        discussion: """
            The file is not sealed: everybody who reads it sees whom the wallet has paid, and everybody who can write to it \
            can change it. Note the digest, and compare it when you import the file.
            """)

    @OptionGroup var wallet: WalletArgument

    @Option(name: .shortAndLong, file: "Where it goes; '-' is standard output.")
    var output: String

    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var global: GlobalOptions

    func perform(_ output: Output) async throws(Failure) {
        let wallet = try global.wallet(named: wallet.name)
        try OutputFile.check(self.output, output)
        let document = try await passphrase.withBook(of: wallet, in: global) { (book) throws(CustodyError) in
            await book.export(now: .now)
        }
        try output.file(document.encoded, to: self.output, ExportedBookView(document, in: self.output))
    }
}

struct BookImportCommand: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Add what 'book export' wrote to a wallet's book.",
        discussion: """
            Nothing in the book is changed: a contact of the file whose name or address the book knows otherwise is left \
            out, and named. The history is for reading: no limit, no nonce and no order is computed from it. Compare the \
            address of each new contact, since a policy may take contacts for known.

            EXAMPLES
              fueki book import savings savings-book.json
              fueki book import savings savings-book.json --contact anna --contact ben
              fueki book import savings savings-book.json --expect 5a…
            """)

    @OptionGroup var wallet: WalletArgument

    @Argument(help: "The file that 'book export' wrote; '-' is standard input.", completion: .file())
    var file: String

    @Option(help: .value("name", "Of the new contacts, add this one and no other that is not named (default: all)."))
    var contact: [String] = []

    @Flag(help: "Add no contacts.")
    var noContacts = false

    @Flag(help: "Show what would be added, and add nothing.")
    var dryRun = false

    @Option(help: .value("digest", "Do not ask, if the file has this digest."))
    var expect: String?

    @Flag(name: .shortAndLong, help: "Do not ask.")
    var yes = false

    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var global: GlobalOptions

    private var isAsked: Bool { !yes && expect == nil }

    func validate() throws {
        guard !noContacts || contact.isEmpty else {
            throw ValidationError("--no-contacts adds none, and --contact names one: give one of the two")
        }
        guard !dryRun || expect == nil else {
            throw ValidationError("--dry-run adds nothing: leave out --expect")
        }
    }

    func perform(_ output: Output) async throws(Failure) {
        let wallet = try global.wallet(named: wallet.name)
        let bytes = try InputFile.read(file)
        let document = try attempt { () throws(CustodyError) in try BookExport(decoding: bytes) }
        if let expect, Hex.encode(document.digest) != expect.lowercased() {
            throw Failure(
                code: .refused, name: "not_expected",
                message: "the file has another digest than --expect names; nothing was imported",
                hint: "--dry-run shows its contents")
        }
        if let stranger = chosen.stranger(to: document) {
            throw .usage("the file has no contact '\(stranger)'; nothing was imported")
        }
        try await passphrase.withBook(of: wallet, in: global) { (book) throws(Failure) in
            try await run(document, into: wallet, book, output)
        }
    }

    /// The contacts of the document that the options choose.
    private var chosen: BookMerge.Choice { noContacts ? .none : contact.isEmpty ? .all : .named(Set(contact)) }

    private func run(
        _ document: BookExport, into wallet: WalletRecord, _ book: WalletBook, _ output: Output
    ) async throws(Failure) {
        let merge = try await attempt { () async throws(CustodyError) in try await book.merge(document) }
        let view = BookMergeView(merge, of: document, into: wallet, adding: chosen)
        if dryRun { return try output.result(view) { view.text(in: .ofTerminal) } }
        if isAsked, !merge.isEmpty {
            guard
                try Confirmation.ask(
                    "Add this?", about: view.text(in: .ofTerminal),
                    insteadUse: "--yes, or --expect \(Hex.encode(document.digest))")
            else { throw .cancelled() }
        }
        try await attempt { () async throws(CustodyError) in
            try await book.run(merge, of: document, adding: chosen.names(among: merge.contacts))
        }
        try output.receipt(view) {
            isAsked && !merge.isEmpty ? StyledText("imported") : view.text(in: .ofTerminal)
        }
    }
}
