internal import ArgumentParser
internal import Mnemonics
internal import Secrets
internal import Terminal
internal import Wallet

/// Where the words of a mnemonic come from. Never an argument: the arguments of a process are public on the machine it runs on.
struct MnemonicOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The file with the words (BIP-39), in one line or several, and nothing else; '-' is standard input.",
            valueName: "file"),
        completion: .file())
    var mnemonicFile: String?

    @Option(
        help: ArgumentHelp(
            "The file whose first line is the mnemonic's own passphrase, if it has one.", valueName: "file"),
        completion: .file())
    var mnemonicPassphraseFile: String?

    func validate() throws {
        guard mnemonicFile != nil || mnemonicPassphraseFile == nil else {
            throw ValidationError("--mnemonic-passphrase-file is about a --mnemonic-file")
        }
    }

    /// The seed of the words, of which nothing else is kept.
    func seed() throws(Failure) -> SecretBytes {
        let words = try words()
        let passphrase = try passphrase()
        return try attempt { () throws(Mnemonic.Fault) in
            try Mnemonic(words: words).seed(passphrase: passphrase)
        }
    }

    /// Empty where the mnemonic has none.
    private func passphrase() throws(Failure) -> SecretBytes {
        guard let mnemonicPassphraseFile else { return SecretBytes(count: 0) { _ in } }
        return try PassphraseFile.firstLine(of: mnemonicPassphraseFile)
    }

    private func words() throws(Failure) -> SecretBytes {
        guard let mnemonicFile else { throw .usage("--mnemonic-file is needed") }
        // One byte more than a mnemonic may have, so that a longer file is refused and not cut.
        return try PassphraseFile.beginning(of: mnemonicFile, size: Mnemonic.maximumTextSize + 1)
    }
}
