package import DisplayText
internal import Texts
package import Wallet

/// The view of a file's valid signature.
package struct FileVerdict: ResultView {
    let verdict = "valid"
    let file: String
    /// The key in minisign's form, and its id.
    let key: String
    let key_id: String
    let trusted_comment: String

    package init(_ file: String, _ comment: SanitizedText, by key: MinisignKey) {
        (self.file, self.key, key_id, trusted_comment) = (file, key.text, key.idText, comment.text)
    }

    package var text: String { "valid: key \(key_id) signed this file\ntrusted comment: \(trusted_comment)" }
}

/// The view of the key that verifies a wallet's files.
package struct MinisignKeyView: ResultView {
    let key: String
    let key_id: String
    /// The public key file.
    package let file: String

    package init(_ key: MinisignKey) { (self.key, key_id, file) = (key.text, key.idText, key.file) }

    /// The file without its last line feed.
    package var text: String { String(file.dropLast()) }
}
