internal import ArgumentParser
internal import Bitcoin
internal import Presentation
internal import Terminal
internal import Texts

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
