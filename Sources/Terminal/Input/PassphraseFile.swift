internal import Files
package import Secrets
internal import SecureStorage
package import Texts

/// A file with a passphrase or another secret text, for scripts: ``Files/SecretFile`` with the failures of a
/// command.
package enum PassphraseFile {
    /// Reads the first line of the file, without its line ending. `-` is standard input.
    ///
    /// - Parameter isOptional: whether the line may be empty.
    package static func firstLine(of path: String, isOptional: Bool = false) throws(Failure) -> SecretBytes {
        do {
            return try SecretFile.firstLine(of: path, isOptional: isOptional)
        } catch {
            throw failure(of: error, path)
        }
    }

    /// Reads a new passphrase, and refuses one that the same words would not open.
    package static func new(in path: String) throws(Failure) -> SecretBytes {
        let passphrase = try firstLine(of: path)
        if let flaw = PassphraseText.flaw(in: passphrase) { throw flaw.failure }
        return passphrase
    }

    /// Reads the file, up to `size` bytes. `-` is standard input.
    package static func beginning(of path: String, size: Int) throws(Failure) -> SecretBytes {
        do {
            return try SecretFile.beginning(of: path, size: size)
        } catch {
            throw failure(of: error, path)
        }
    }

    private static func failure(of flaw: SecretFile.Flaw, _ path: String) -> Failure {
        switch flaw {
        case .unreadable(let code): .unreadable(path, code)
        case .empty: .badPassphrase("the file's first line is empty")
        case .tooLong(let longest): .badPassphrase("the file's first line is longer than \(longest) bytes")
        }
    }
}
