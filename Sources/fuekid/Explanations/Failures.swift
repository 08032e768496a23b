internal import AuthOperations
internal import Files
internal import Foundation
internal import ServerHTTP
internal import Texts

// The failures of the server, with the messages and exit codes of this program.
extension Failure {
    init(_ failure: OperationFailure) {
        let code: Code =
            switch failure.kind {
            case .wrongPassphrase: .wrongPassphrase
            case .malformed: .malformed
            case .missing: .missing
            case .unavailable: .unavailable
            case .unwritable: .unwritable
            case .busy: .busy
            case .permissions: .permissions
            case .settings: .settings
            }
        self.init(code: code, name: failure.name, message: failure.message, hint: failure.hint)
    }

    /// Creates the failure of a passphrase file.
    init(reading path: String, _ flaw: SecretFile.Flaw) {
        let file = path == "-" ? "standard input" : path
        let hint = "name the file that has it: --passphrase-file FILE"
        switch flaw {
        case .unreadable(let code):
            self.init(
                code: code == EACCES ? .permissions : .missing, name: "no_passphrase",
                message: "\(file): the passphrase cannot be read: \(String(cString: strerror(code)))", hint: hint)
        case .empty:
            self.init(
                code: .settings, name: "bad_passphrase",
                message: "\(file): its first line is empty, where the passphrase belongs",
                hint: hint)
        case .tooLong(let longest):
            self.init(
                code: .settings, name: "bad_passphrase",
                message: "\(file): its first line is longer than a passphrase of \(longest) bytes", hint: hint)
        }
    }

    /// Creates the failure of a settings file.
    init(reading path: String, _ flaw: OperatorFile.Flaw) {
        let reason =
            switch flaw {
            case .missing: "the file does not exist"
            case .unreadable: "it cannot be read"
            case .tooLarge(let limit): "it is larger than \(limit) bytes"
            }
        self.init(code: .settings, name: "bad_settings_file", message: "\(path): \(reason)")
    }
}
