internal import ArgumentParser
internal import Files
internal import Terminal

extension PassphraseOptions: SecretFileOptions {
    var secretFiles: [SecretFiles.Named] { [SecretFiles.Named(path: passphraseFile)] }
}

extension MnemonicOptions: SecretFileOptions {
    var secretFiles: [SecretFiles.Named] { [mnemonicFile, mnemonicPassphraseFile].map { SecretFiles.Named(path: $0) } }
}

extension KeystoreOptions: SecretFileOptions {
    var secretFiles: [SecretFiles.Named] { [SecretFiles.Named(path: keystorePassphraseFile)] }
}

extension NodeOptions: SecretFileOptions {
    /// The cookie file. Its group may read it: operators can configure Bitcoin Core to permit that.
    var secretFiles: [SecretFiles.Named] { [SecretFiles.Named(path: cookieFile, others: .all)] }
}
