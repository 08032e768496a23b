internal import ArgumentParser
internal import Bitcoin
internal import Presentation
internal import Terminal
internal import Texts

struct PSBTCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "psbt", abstract: "Inspect, sign, combine and finalise transactions (PSBT, BIP-174).",
        subcommands: [PSBTInspect.self, PSBTSign.self, PSBTCombine.self, PSBTFinalize.self])
}

/// A PSBT, and the encoding of its file.
struct TransactionFile {
    let psbt: PSBT
    let format: PSBTFormat

    /// Reads a PSBT in any of the three encodings. Errors name the path.
    static func read(_ path: String) throws(Failure) -> TransactionFile {
        let bytes = try InputFile.read(path)
        guard let format = PSBTFormat(of: bytes) else {
            throw Failure(
                code: .malformed, name: "malformed",
                message: "\(path) is not a PSBT: neither binary, base64 nor hexadecimal")
        }
        return TransactionFile(
            psbt: try attempt(on: path) { () throws(BitcoinError) in try PSBT(bytes) }, format: format)
    }
}

struct PSBTCombine: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "combine", abstract: "Put the signatures of several copies of one PSBT into one.",
        discussion: """
            For transactions that others sign as well. Copies that contradict each other are refused.

            EXAMPLE
              fueki psbt combine mine.psbt theirs.psbt -o both.psbt
            """)

    @Argument(help: "Two or more PSBTs of the same transaction.", completion: .file())
    var files: [String]

    @Option(
        name: .shortAndLong, file: "Where the combined PSBT goes, in the form of the first; '-' is standard output.")
    var output: String

    @OptionGroup var global: GlobalOptions

    func validate() throws {
        guard files.count >= 2 else { throw ValidationError("combine takes two files or more") }
    }

    func perform(_ output: Output) throws(Failure) {
        try OutputFile.check(self.output, output)
        let first = try TransactionFile.read(files[0])
        var combined = first.psbt
        for path in files.dropFirst() {
            let next = try TransactionFile.read(path).psbt
            combined = try attempt(on: path) { () throws(BitcoinError) in try combined.combined(with: next) }
        }
        let view = CombinedView(of: files.count, in: self.output)
        try output.file(combined.file(as: first.format), to: self.output, view)
    }
}

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
