internal import ArgumentParser
internal import AuthOperations
internal import Terminal

struct AuditKeyCommand: FuekidCommand {
    static let configuration = CommandConfiguration(
        commandName: "key", abstract: "Make the keys of the reader of an audit log.",
        discussion: """
            The private key goes to the file, which only its owner can read. It opens every entry of the log: keep it away \
            from the server, and keep a copy. A lost key cannot be replaced; a new log begins with another one. The public \
            key is printed, and is the setting audit.reader.

            Needs no passphrase, and no server.

            EXAMPLE

              fuekid audit key /media/stick/owner.key
            """)

    @Argument(help: "The file to make. Nothing may be there.", completion: .file())
    var file: String

    @OptionGroup var options: ServerOptions

    private struct Result: Encodable {
        let file: String
        let reader: String
    }

    func perform(_ output: Output) async throws {
        let report = try AuditOperations.makeReaderKey(at: ServerOptions.absolute(file))
        try output.receipt(Result(file: report.path, reader: report.publicKey)) {
            """
            \(report.path): the private key. Move it away from the server, and keep a copy.
            Set in fuekid.json, and start the server again:
              "audit": {"reader": "\(report.publicKey)"}
            """
        }
    }
}
