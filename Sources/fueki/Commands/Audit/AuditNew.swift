internal import ArgumentParser
internal import Custody
internal import Presentation
internal import Terminal
internal import Texts

struct AuditNew: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "new", abstract: "Begin a new log for a wallet whose log is lost or damaged.",
        discussion: """
            A wallet signs nothing while its log cannot be written. Put the log's folder back from a copy if you have \
            one. This command gives up the old log: its folder stays as it is, and the first entry of the new log names \
            the last checkpoint of the old one. Find out first who removed or changed the old log: it may be an \
            attacker, who hides what was signed.

            EXAMPLE
              fueki audit new savings
            """)

    @OptionGroup var wallet: WalletArgument

    @Flag(help: "Do not ask.")
    var yes = false

    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var global: GlobalOptions

    func perform(_ output: Output) async throws(Failure) {
        let record = try global.wallet(named: wallet.name)
        if !yes {
            let question = "Begin a new audit log for '\(record.name)', and give up the old one?"
            guard try Confirmation.ask(question, about: "", insteadUse: "--yes") else { throw .cancelled() }
        }
        let log = try await passphrase.withBook(of: record, in: global) { (book) async throws(CustodyError) in
            try await book.beginNewLog()
            return try await book.walletLog()
        }
        let folder = log?.folder ?? ""
        try output.result(["log": folder]) { "new audit log: \(folder)" }
    }
}
