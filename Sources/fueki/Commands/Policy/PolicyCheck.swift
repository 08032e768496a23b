internal import ArgumentParser
internal import Presentation
internal import Terminal
internal import Texts
internal import Wallet

struct PolicyCheck: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Check a policy file, and describe its rules.",
        discussion: """
            An unknown name is an error, reported with its place: a misspelt condition would let everything pass. \
            docs/formats/policy.md describes the file. Needs no wallet and no passphrase.

            EXAMPLE
              fueki policy check policy.json
            """)

    @Argument(help: "The policy: JSON; '-' is standard input.", completion: .file(extensions: ["json"]))
    var file: String

    @OptionGroup var global: GlobalOptions

    func perform(_ output: Output) throws(Failure) {
        let view = PolicyView(try PolicyDocument.read(file).policy)
        try output.result(view)
        for warning in view.warnings { output.note("warning: \(warning)") }
    }
}

/// A policy with the bytes of its file.
struct PolicyDocument {
    let bytes: [UInt8]
    let policy: Policy

    static func read(_ path: String) throws(Failure) -> PolicyDocument {
        let bytes = try InputFile.read(path)
        return PolicyDocument(
            bytes: bytes, policy: try attempt(on: path) { () throws(PolicyFault) in try Policy(file: bytes) })
    }
}
