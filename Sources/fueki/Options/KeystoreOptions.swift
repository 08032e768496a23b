internal import ArgumentParser
internal import Custody
internal import Presentation
internal import Secrets
internal import Terminal
internal import Texts
internal import Wallet

/// A keystore: the file in which other software keeps the key of an Ethereum account.
struct KeystoreOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A keystore (version 3) of an account on Ethereum, in place of words.",
            valueName: "file"),
        completion: .file())
    var keystoreFile: String?

    @Option(
        help: ArgumentHelp(
            "Take its first line as the keystore's passphrase.", valueName: "file"),
        completion: .file())
    var keystorePassphraseFile: String?

    func validate() throws {
        guard keystoreFile != nil || keystorePassphraseFile == nil else {
            throw ValidationError("--keystore-passphrase-file is about a --keystore-file")
        }
    }

    /// Returns the account whose key is in the file.
    func account(in path: String, _ output: Output) throws(Failure) -> WholeEthereumAccount {
        let bytes = try InputFile.read(path)
        // A malformed file is reported before the passphrase is asked for.
        let keystore = try attempt { () throws(Keystore.Fault) in try Keystore(decoding: bytes) }
        let passphrase = try passphrase()
        output.progress(StepText("opening the keystore", done: "opened the keystore"))
        let key = try attempt { () throws(Keystore.Fault) in try keystore.privateKey(passphrase: passphrase) }
        return WholeEthereumAccount(key: key)
    }

    /// Other software makes keystores with an empty passphrase, too.
    private func passphrase() throws(Failure) -> SecretBytes {
        if let keystorePassphraseFile {
            return try PassphraseFile.firstLine(of: keystorePassphraseFile, isOptional: true)
        }
        return try PassphrasePrompt(insteadUse: "--keystore-passphrase-file FILE").ask(
            "Passphrase of the keystore: ", isOptional: true)
    }
}
