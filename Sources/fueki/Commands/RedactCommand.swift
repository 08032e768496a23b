internal import ArgumentParser
internal import Redaction
internal import Terminal
internal import Texts

struct RedactCommand: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "redact", abstract: "Remove secrets from a log or another text.",
        discussion: """
            Reads a text of any size and writes it without mnemonics, private keys, tokens, passwords and the secret \
            values of URLs, also where they stand in JSON, percent-encoded or in Base64. In place of each stands what it \
            was: [redacted: mnemonic]. With --check nothing is written, and the exit code is 2 if there is a secret.

            No tool finds every secret: look at what you send to others.

            EXAMPLES
              fueki redact < app.log > app-to-send.log
              fueki redact --check notes.txt
            """)

    @Argument(help: "The text; '-' is standard input.", completion: .file())
    var file = "-"

    @Flag(help: "Only say whether there are secrets.")
    var check = false

    @OptionGroup var global: GlobalOptions

    func validate() throws {
        guard !global.json || check else { throw ValidationError("--json is about --check: the result is the text") }
    }

    func perform(_ output: Output) async throws(Failure) {
        var stream = RedactedStream()
        try InputFile.read(file) { part throws(Failure) in try write(stream.push(part)) }
        try write(stream.finish())
        guard check else { return }
        guard stream.count == 0 else {
            throw Failure(code: .refused, name: "secrets_found", message: "places with a secret: \(stream.count)")
        }
        try output.result(["secrets": 0]) { "no secret found" }
    }

    private func write(_ bytes: [UInt8]) throws(Failure) {
        if !check { try StandardStream.output.write(bytes) }
    }
}
