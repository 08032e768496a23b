internal import Foundation
internal import SecureStorage

extension SecureStorageError: Explained {
    /// Its description as a clause: it follows a colon.
    var sentence: String {
        if case .inputOutput(let step, let code) = self {
            return "could not \(step.rawValue): \(String(cString: strerror(code)))"
        }
        var text = description
        if text.last == "." { text.removeLast() }
        return text.prefix(1).lowercased() + text.dropFirst()
    }

    var failure: Failure {
        switch self {
        case .diskFull: Failure(code: .unwritable, name: "disk_full", message: sentence)
        case .lockedByAnother: Failure(code: .busy, name: "busy", message: sentence)
        default: Failure(code: .other, name: "storage", message: sentence)
        }
    }
}
