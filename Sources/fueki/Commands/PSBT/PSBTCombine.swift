internal import ArgumentParser
internal import Wallet

struct PSBTCombine: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "combine", abstract: "Put what several copies of one PSBT hold into one.")

    @Argument(help: "Two or more PSBTs of the same transaction.", completion: .file())
    var files: [String]

    @Option(name: .shortAndLong, help: "Where the combined PSBT goes, in the form of the first.", completion: .file())
    var output: String

    @OptionGroup var global: GlobalOptions

    private struct Result: Encodable {
        let output: String
    }

    func perform(_ output: Output) throws(Failure) {
        guard files.count >= 2 else { throw .usage("combine takes two files or more") }
        try OutputFile.check(self.output)
        let first = try TransactionFile.read(files[0])
        var combined = first.psbt
        for path in files.dropFirst() {
            let next = try TransactionFile.read(path).psbt
            combined = try attempt { () throws(WalletError) in try combined.combined(with: next) }
        }
        try OutputFile.write(combined.file(as: first.format), to: self.output)
        output.result(Result(output: self.output)) { "combined: \(self.output)" }
    }
}
