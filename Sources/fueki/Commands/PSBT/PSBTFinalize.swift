internal import ArgumentParser
internal import Bitcoin
internal import Encoding
internal import Terminal
internal import Wallet

struct PSBTFinalize: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "finalize", abstract: "Turn a signed PSBT into a transaction that a node takes.",
        discussion: """
            Verifies every signature once more. The transaction is not sent: give it to your node.

            EXAMPLE
              fueki psbt finalize signed.psbt -o payment.hex
              bitcoin-cli sendrawtransaction "$(cat payment.hex)"
            """)

    @Argument(help: "The signed PSBT; '-' is standard input.", completion: .file())
    var input: String

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "Where the transaction goes, in hexadecimal; '-' is standard output.", valueName: "file"),
        completion: .file())
    var output: String

    @OptionGroup var global: GlobalOptions

    private struct Result: Encodable {
        let output: String
        let id: String
        let virtual_size: Int
        /// What a node takes, in hexadecimal.
        let transaction: String
    }

    func perform(_ output: Output) throws(Failure) {
        try OutputFile.check(self.output, output)
        let psbt = try TransactionFile.read(input).psbt
        let transaction = try attempt(on: input) { () throws(BitcoinError) in try psbt.finalised().transaction() }
        let hex = Hex.encode(transaction.encoded)
        let result = Result(
            output: self.output, id: transaction.id.description, virtual_size: transaction.virtualSize,
            transaction: hex)
        try output.file(Array((hex + "\n").utf8), to: self.output, result) {
            "transaction \(result.id), \(result.virtual_size) vB"
        }
    }
}
