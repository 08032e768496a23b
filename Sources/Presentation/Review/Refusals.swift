package import Texts

// Failures of a person who refused.
extension Failure {
    package static func declined() -> Failure {
        Failure(code: .refused, name: "declined", message: "not signed: you did not confirm")
    }

    package static func notRenewed() -> Failure {
        Failure(code: .refused, name: "declined", message: "nothing was changed: you did not confirm")
    }
}
