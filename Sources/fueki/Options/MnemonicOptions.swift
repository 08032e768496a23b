internal import ArgumentParser
internal import Mnemonics
internal import Secrets
internal import Terminal
internal import Texts

/// The files of a mnemonic. Its words are never an argument: every program on the machine can read the arguments.
struct MnemonicOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The file with the words (BIP-39) and nothing else; '-' is standard input.",
            valueName: "file"),
        completion: .file())
    var mnemonicFile: String?

    @Option(
        help: ArgumentHelp(
            "Take its first line as the mnemonic's own passphrase.", valueName: "file"),
        completion: .file())
    var mnemonicPassphraseFile: String?

    func validate() throws {
    }

    /// Returns the seed of the mnemonic. The words themselves are not kept.
    func seed() throws(Failure) -> SecretBytes {
        let words = try words()
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

    private func words() throws(Failure) -> SecretBytes {
        guard let mnemonicFile else {
            return try PassphrasePrompt(insteadUse: "--mnemonic-file FILE").ask(
                "The words, in one line: ", most: Mnemonic.maximumTextSize)
        }
        // One byte more than a mnemonic may have, so that a longer file is refused and not cut.
        return try PassphraseFile.beginning(of: mnemonicFile, size: Mnemonic.maximumTextSize + 1)
    }
}
