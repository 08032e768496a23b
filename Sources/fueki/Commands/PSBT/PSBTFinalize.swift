internal import ArgumentParser
internal import Encoding
internal import Wallet

struct PSBTFinalize: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "finalize", abstract: "Turn a signed PSBT into a transaction that a node takes.",
        discussion: "Verifies every signature once more. The transaction is not sent: give the file to your node.")

    @Argument(help: "The signed PSBT; '-' is standard input.", completion: .file())
    var input: String

    @Option(name: .shortAndLong, help: "Where the transaction goes, in hexadecimal.", completion: .file())
    var output: String

    @OptionGroup var global: GlobalOptions

    private struct Result: Encodable {
        let output: String
        let txid: String
        let virtual_size: Int
        let hex: String
    }

    func perform(_ output: Output) throws(Failure) {
        try OutputFile.check(self.output)
        let psbt = try TransactionFile.read(input).psbt
        let transaction = try attempt { () throws(WalletError) in try psbt.finalised().transaction() }
        let hex = Hex.encode(transaction.encoded)
        try OutputFile.write(Array((hex + "\n").utf8), to: self.output)
        let result = Result(
            output: self.output, txid: transaction.id.description, virtual_size: transaction.virtualSize, hex: hex)
        output.result(result) { "transaction \(result.txid), \(result.virtual_size) vB: \(self.output)" }
    }
}
