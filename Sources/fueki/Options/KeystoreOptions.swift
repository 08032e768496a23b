internal import ArgumentParser
internal import Custody
internal import Terminal
internal import Texts
internal import Wallet

/// A keystore: the file in which other software keeps the key of an Ethereum account.
struct KeystoreOptions: SecretFileOptions {
    @Option(file: "A keystore (version 3) of an account on Ethereum, in place of words.")
    var keystoreFile: String?

    @Option(file: "Take its first line as the keystore's passphrase.")
    var keystorePassphraseFile: String?

    var secretFiles: [SecretFiles.Named] { [SecretFiles.Named(path: keystorePassphraseFile)] }

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
        // Other software makes keystores with an empty passphrase, too.
        let passphrase = try SecretInput(keystorePassphraseFile, "--keystore-passphrase-file").existing(
            "Passphrase of the keystore: ", isOptional: true)
        output.progress(StepText("opening the keystore", done: "opened the keystore"))
        let key = try attempt { () throws(Keystore.Fault) in try keystore.privateKey(passphrase: passphrase) }
        return WholeEthereumAccount(key: key)
    }
}
