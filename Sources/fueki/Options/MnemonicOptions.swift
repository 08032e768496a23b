internal import ArgumentParser
internal import Mnemonics
internal import Secrets
internal import Terminal
internal import Texts

/// The files of a mnemonic. Its words are never an argument: every program on the machine can read the arguments.
struct MnemonicOptions: SecretFileOptions {
    @Option(file: "The file with the words (BIP-39) and nothing else; '-' is standard input.")
    var mnemonicFile: String?

    @Option(file: "Take its first line as the mnemonic's own passphrase.")
    var mnemonicPassphraseFile: String?

    var secretFiles: [SecretFiles.Named] { [mnemonicFile, mnemonicPassphraseFile].map { SecretFiles.Named(path: $0) } }

    /// Returns the seed of the mnemonic. The words themselves are not kept.
    func seed() throws(Failure) -> SecretBytes {
        let words = try SecretInput(mnemonicFile, "--mnemonic-file").text(
            "The words, in one line: ", longest: Mnemonic.maximumTextSize)
        let passphrase = try passphrase()
        return try attempt { () throws(Mnemonic.Fault) in
            try Mnemonic(words: words).seed(passphrase: passphrase)
        }
    }

    /// Returns the passphrase of the mnemonic; empty if it has none.
    private func passphrase() throws(Failure) -> SecretBytes {
        guard let mnemonicPassphraseFile else { return SecretBytes(count: 0) { _ in } }
        return try PassphraseFile.firstLine(of: mnemonicPassphraseFile)
    }
}
