internal import AuthAPI
internal import Time
internal import Tokens

/// A caller who used a passkey lately. Sensitive changes require one (RFC 9470).
struct FreshCaller: Sendable {
    let caller: Caller

    fileprivate init(_ caller: Caller) { self.caller = caller }
}

/// The step-up check: a passkey was used lately (RFC 9470).
struct StepUp: Sendable {
    /// The highest age of a sign-in.
    let maxAge: Timestamp.Span

    /// Checks that a caller used a passkey lately, and returns the caller as a fresh one.
    ///
    /// - Throws: ``Problem`` with ``ProblemCode/insufficientUserAuthentication``.
    @discardableResult
    func require(_ caller: Caller, at now: Timestamp) throws(Problem) -> FreshCaller {
        guard caller.token.authentication.isFresh(maxAge: maxAge, now: now) else {
            throw Problem(.insufficientUserAuthentication, maxAge: Int(maxAge.milliseconds / 1000))
        }
        return FreshCaller(caller)
    }
}
