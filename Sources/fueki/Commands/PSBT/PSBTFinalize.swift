internal import ArgumentParser
internal import Bitcoin
internal import Presentation
internal import Terminal
internal import Texts

struct PSBTFinalize: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "finalize", abstract: "Turn a signed PSBT into a transaction that a node takes.",
        discussion: """
            Verifies every signature again. The transaction is not sent: give it to your node.

            EXAMPLE
              fueki psbt finalize signed.psbt -o payment.hex
              bitcoin-cli sendrawtransaction "$(cat payment.hex)"
            """)

    @Argument(help: "The signed PSBT; '-' is standard input.", completion: .file())
    var input: String

    @Option(name: .shortAndLong, file: "Where the transaction goes, in hexadecimal; '-' is standard output.")
    var output: String

    @OptionGroup var global: GlobalOptions

    func perform(_ output: Output) throws(Failure) {
        try OutputFile.check(self.output, output)
        let psbt = try TransactionFile.read(input).psbt
        let transaction = try attempt(on: input) { () throws(BitcoinError) in try psbt.finalised().transaction() }
        let view = FinalizedView(transaction, in: self.output)
        try output.file(view.file, to: self.output, view)
    }
}
