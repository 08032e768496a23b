internal import AuthServer
internal import Foundation
internal import SecureStorage

/// What a command ends with when it does not succeed: a text for the person, a hint where there is one, a word and an exit
/// code for scripts.
struct Failure: Error {
    /// The exit codes are part of the interface: the help and the manual list them. Those from 64 on are as in sysexits.h.
    enum Code: Int32, CaseIterable {
        case wrongPassphrase = 3
        case usage = 64
        case malformed = 65
        case missing = 66
        case unavailable = 69
        case unwritable = 73
        case busy = 75
        case permissions = 77
        case settings = 78

        /// One line of the manual.
        var meaning: String {
            switch self {
            case .wrongPassphrase: "the passphrase is wrong"
            case .usage: "wrong usage"
            case .malformed: "a store, a copy or a vault is damaged"
            case .missing: "a file, the store or the account is not there"
            case .unavailable: "the store does not answer, or the address is in use"
            case .unwritable: "a file exists already, or the disk is full"
            case .busy: "another process has the vault in use"
            case .permissions: "too many may get at a file, or this program may not"
            case .settings: "a setting is wrong, or does not fit the store"
            }
        }
    }

    let code: Code
    /// A stable word for scripts: `wrong_passphrase`.
    let name: String
    let message: String
    var hint: String?

    init(code: Code, name: String, message: String, hint: String? = nil) {
        self.code = code
        self.name = name
        self.message = message
        self.hint = hint
    }

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

    /// Of the file that should have the passphrase.
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
                code: .settings, name: "bad_passphrase", message: "\(file): its first line is empty, and no passphrase",
                hint: hint)
        case .tooLong(let longest):
            self.init(
                code: .settings, name: "bad_passphrase",
                message: "\(file): its first line is longer than \(longest) bytes, and no passphrase", hint: hint)
        }
    }

    /// Of the file with the settings.
    init(reading path: String, _ flaw: OperatorFile.Flaw) {
        let reason =
            switch flaw {
            case .missing: "there is no such file"
            case .unreadable: "it cannot be read"
            case .tooLarge(let limit): "it is larger than \(limit) bytes"
            }
        self.init(code: .settings, name: "bad_settings_file", message: "\(path): \(reason)")
    }

    static func usage(_ message: String) -> Failure { Failure(code: .usage, name: "usage", message: message) }

    /// - Parameter option: of which the last value alone would count.
    static func repeated(_ option: String) -> Failure {
        Failure(
            code: .usage, name: "usage",
            message: "\(option) is given more than once, and takes one value; nothing was done",
            hint: "leave out all but one of them")
    }

    static let unwritableOutput = Failure(
        code: .unwritable, name: "unwritable", message: "cannot write to standard output")
}

/// The exit codes as the help and the manual list them.
enum ExitCodes {
    static let text =
        (["   0  done"]
        + Failure.Code.allCases.map { code in
            let number = String(code.rawValue)
            return String(repeating: " ", count: 4 - number.count) + number + "  " + code.meaning
        }).joined(separator: "\n")
}
