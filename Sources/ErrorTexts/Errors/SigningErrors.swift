package import SigningSession
package import Texts

extension SigningError: Explained {
    package var failure: Failure {
        switch self {
        case .custody(let error): error.failure
        case .flow(let fault): fault.failure
        }
    }
}

extension FlowFault {
    /// The failure of the command itself: it opens a flow for each run.
    var failure: Failure {
        switch self {
        case .closed:
            Failure(code: .other, name: "flow", message: "the wallet's book was closed: run the command again")
        case .rehearsal: Failure(code: .other, name: "flow", message: "with --dry-run nothing is signed or sent")
        }
    }
}
