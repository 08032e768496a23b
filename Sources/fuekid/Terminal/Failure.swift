internal import AuthServer
internal import Foundation

/// What a command ends with when it does not succeed. The codes are those of sysexits.h.
struct Failure: Error {
    let code: Int32
    let message: String
    var hint: String?

    static let usage: Int32 = 64
    static let unavailable: Int32 = 69
    static let software: Int32 = 70
    static let unwritable: Int32 = 73
    static let configuration: Int32 = 78

    /// The words for an error of starting. An error that nobody foresaw is named by its type alone: it may carry anything.
    init(_ error: any Error) {
        switch error {
        case let failure as Failure: self = failure
        case let error as ConfigurationError: self.init(code: Self.configuration, message: "\(error)")
        case let error as StartupError: self.init(code: Self.configuration, message: "\(error)")
        default: self.init(code: Self.unavailable, message: StartupReasons.text(for: error))
        }
    }

    init(code: Int32, message: String, hint: String? = nil) {
        self.code = code
        self.message = message
        self.hint = hint
    }

    func print() {
        FileHandle.standardError.write(Data("fuekid: \(message)\n".utf8))
        if let hint { FileHandle.standardError.write(Data("  \(hint)\n".utf8)) }
    }
}
