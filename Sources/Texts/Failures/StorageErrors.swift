internal import Foundation
package import SecureStorage

extension SecureStorageError: Explained {
    /// The description in the form that follows a colon.
    package var sentence: String {
        if case .inputOutput(let step, let code) = self {
            return "could not \(step.rawValue): \(String(cString: strerror(code)))"
        }
        var text = description
        if text.last == "." { text.removeLast() }
        return text.prefix(1).lowercased() + text.dropFirst()
    }

    /// The system's reason, without the step that failed.
    package var reason: String {
        if case .inputOutput(_, let code) = self { return String(cString: strerror(code)) }
        return sentence
    }

    package var failure: Failure {
        switch self {
        case .inputOutput(.write, _), .inputOutput(.flush, _), .inputOutput(.rename, _), .inputOutput(.flushFolder, _),
            .inputOutput(.remove, _), .inputOutput(.lock, _):
            Failure(code: .unwritable, name: "unwritable", message: sentence)
        case .diskFull: Failure(code: .unwritable, name: "disk_full", message: sentence)
        case .lockedByAnother: Failure(code: .busy, name: "busy", message: sentence)
        default: Failure(code: .other, name: "storage", message: sentence)
        }
    }
}
