public import Custody

/// The error of a payload that was not proposed, confirmed, signed or recorded.
public enum SigningError: Error, Equatable, Sendable {
    /// A share, the wallet's book, its policy, or a ceremony failed.
    case custody(CustodyError)
    /// The flow cannot take the step.
    case flow(FlowFault)
}

/// The reason why a ``SigningFlow`` does not take a step.
public enum FlowFault: Equatable, Sendable {
    /// The flow was closed. Open another one.
    case closed
    /// The flow is a rehearsal, which neither signs nor sends.
    case rehearsal
}

/// The error of a step that needs the wallet's book: it can carry a signing error.
package protocol SigningFailure: Error {
    /// Assigns a signing error to its subject.
    init(_ error: SigningError)
}

extension SigningError: SigningFailure {
    package init(_ error: SigningError) { self = error }
}

/// Runs a closure, and assigns its error to its subject.
func attempt<Value: ~Copyable>(
    _ body: () async throws(CustodyError) -> Value
) async throws(SigningError) -> Value {
    do throws(CustodyError) { return try await body() } catch { throw .custody(error) }
}
