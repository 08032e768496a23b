internal import ArgumentParser
internal import AuditLog
internal import Custody
internal import ErrorTexts
internal import PinnedHTTP
internal import Presentation
internal import Terminal
internal import Texts
internal import WalletBooks
internal import WitnessClient

struct AuditWitness: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "witness", abstract: "Have a wallet's log cosigned by a witness on another machine.",
        discussion: """
            Signs a checkpoint of the log and sends it to the witness: a hash and a size, and nothing of the entries. The \
            witness cosigns only what continues the last checkpoint that it has seen, so a log that was set back is found, \
            also if this whole machine was. The witness has to know the log's key, which 'fueki audit verify' shows. \
            'fuekid' is a witness; its operator publishes the address and the key.

            EXAMPLE
              fueki audit witness savings --url https://auth.example/audit \\
                  --key auth.example/witness+1f…+BX…
            """)

    @OptionGroup var wallet: WalletArgument

    @Option(help: .value("url", "The witness's address; '/add-checkpoint' is added to it."))
    var url: String

    @Option(help: .value("key", "The witness's public key: name+id+key."))
    var key: String

    @Option(file: "Certificates (PEM) of the authorities that may sign the witness's, in place of the system's.")
    var ca: String?

    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var global: GlobalOptions

    func perform(_ output: Output) async throws(Failure) {
        let record = try global.wallet(named: wallet.name)
        let witness = try link()
        let (note, folder) = try await passphrase.withBook(of: record, in: global) {
            (book) async throws(Failure) in
            do throws(CustodyError) {
                return (try await book.checkpointLog(witnessedBy: witness), try await book.walletLog()?.published ?? "")
            } catch { throw error.failureOfWitnessing(at: url) }
        }
        try output.receipt(attempt { () throws(AuditLogError) in try WitnessedView(note, by: witness.key, in: folder) })
    }

    private func link() throws(Failure) -> HTTPWitness {
        let key: NoteKey
        do { key = try NoteKey(parsing: self.key) } catch {
            throw Failure(
                code: .malformed, name: "bad_witness_key",
                message: "--key is not a key: name+id+key, as the witness's operator published it")
        }
        let client = PinnedClient(
            ClientConfiguration(
                userAgent: "fueki/\(Version.text)", roots: try .named(ca), plainHTTP: .loopback,
                connectTimeout: .seconds(5), retries: .never),
            pins: LivePins(.none, updatedBy: [], time: PinTime(latest: 0))
        ) { .now }
        do throws(HTTPWitness.Fault) { return try HTTPWitness(at: url, key: key, over: client) } catch .keyOfLog {
            throw Failure(
                code: .malformed, name: "bad_witness_key", message: "--key is the key of a log, not that of a witness")
        } catch { throw .usage("--url is not an address: https://host/path") }
    }
}
