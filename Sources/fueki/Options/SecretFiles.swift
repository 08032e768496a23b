internal import ArgumentParser
internal import SecureStorage

/// Options that name files with secrets in them.
protocol SecretFileOptions: ParsableArguments {
    /// What is named, and who may get at it beside its owner without a word about it.
    var secretFiles: [SecretFiles.Named] { get }
}

/// The files with secrets that a command line names. A file that others can read is taken, since a container's secrets often cannot
/// be had otherwise, and a passphrase alone opens nothing; but the person hears of it, and so does a program.
enum SecretFiles {
    struct Named {
        let path: String?
        var others = SecretFile.Others.groupOrAll
    }

    /// One sentence for each file that others can read.
    ///
    /// - Parameter command: whose groups of options are looked through, and the groups in those.
    static func warnings(on command: any ParsableArguments) -> [String] {
        named(by: command).compactMap { file in
            guard let path = file.path, SecretFile.isWithinReach(of: file.others, path) else { return nil }
            return "others on this machine can get at \(path), which holds a secret; 'chmod 600' keeps them out"
        }
    }

    private static func named(by options: any ParsableArguments) -> [Named] {
        let own = (options as? any SecretFileOptions)?.secretFiles ?? []
        let groups = Mirror(reflecting: options).children.compactMap { ($0.value as? any GroupOfOptions)?.options }
        return own + groups.flatMap(named)
    }
}

/// An `OptionGroup`, whatever is in it.
private protocol GroupOfOptions {
    var options: any ParsableArguments { get }
}

extension OptionGroup: GroupOfOptions {
    fileprivate var options: any ParsableArguments { wrappedValue }
}

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
    /// Bitcoin Core lets its group read the cookie where the operator says so.
    var secretFiles: [SecretFiles.Named] { [SecretFiles.Named(path: cookieFile, others: .all)] }
}
