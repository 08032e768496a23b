internal import ArgumentParser
internal import Custody
internal import ErrorTexts
internal import Presentation
internal import Terminal
internal import Texts
internal import WalletBooks

struct AuditNew: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "new", abstract: "Begin a new log for a wallet whose log is lost or damaged.",
        discussion: """
            A wallet signs nothing while its log cannot be written. Put the log's folder back from a copy if you have \
            one. This command gives up the old log: its folder stays as it is, and entry 1 of the new log names the last \
            checkpoint of the old one. It is refused while the log can be written. Find out first who removed or changed the old log: it may be an \
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
        let view = try await passphrase.withBook(of: record, in: global) { (book) async throws(Failure) in
            let old = try await attempt { () async throws(CustodyError) in try await book.walletLog() }
            guard let problem = try await problem(of: book) else {
                throw Failure(
                    code: .refused, name: "log_in_use",
                    message: "the audit log of '\(record.name)' can be written; no new log is needed")
            }
            if !yes {
                let question = "Begin a new audit log for '\(record.name)', and give up the old one?"
                guard try Confirmation.ask(question, about: problem.message, insteadUse: "--yes") else {
                    throw .cancelled()
                }
            }
            return try await attempt { () async throws(CustodyError) in
                try await book.beginNewLog()
                return NewLogView(try await book.walletLog(), instead: old, of: record.name)
            }
        }
        try output.receipt(view)
    }

    /// Returns the reason why the log cannot be written; nil if it can.
    private func problem(of book: WalletBook) async throws(Failure) -> Failure? {
        do throws(CustodyError) {
            try await book.requireLog()
            return nil
        } catch {
            guard case .log(_, let fault) = error, fault.isLasting else { throw error.failure }
            return error.failure
        }
    }
}
