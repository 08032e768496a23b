internal import ArgumentParser
internal import Terminal
internal import Texts

/// A message: a file's bytes, or a text on the command line.
struct MessageArgument: ParsableArguments {
    @Argument(
        help:
            "The file with the message, of which every byte counts, a line break at the end too; '-' is standard input.",
        completion: .file())
    var file: String?

    @Option(help: .value("message", "The message itself, in place of a file."))
    var text: String?

    func validate() throws {
        guard (file == nil) != (text == nil) else {
            throw ValidationError("give the message in a file, or with --text")
        }
    }

    /// Refuses a command line that reads both the message and the passphrase from standard input.
    func refuseSharing(with passphrase: PassphraseOptions) throws(Failure) {
        if text == nil, file == "-", passphrase.passphraseFile == "-" {
            throw .usage("the message and the passphrase cannot both come from standard input")
        }
    }

    /// Returns the bytes to sign.
    func bytes() throws(Failure) -> [UInt8] {
        if let text { return Array(text.utf8) }
        return try InputFile.read(file ?? "-")
    }
}
