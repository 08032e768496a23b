internal import AuthAPI
internal import Tokens

/// A caller who used a passkey lately. What is sensitive takes no other caller (RFC 9470).
struct FreshCaller: Sendable {
    let caller: Caller

    fileprivate init(_ caller: Caller) { self.caller = caller }
}

/// The check that a passkey was used lately (RFC 9470).
struct StepUp: Sendable {
    /// How old a sign-in may be.
    let maxAge: Timestamp.Span

    /// Returns the caller as one who used a passkey lately.
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
