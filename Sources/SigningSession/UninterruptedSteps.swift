public import Custody

/// A way to keep the process alive while a step runs that has to be completed.
///
/// An ECDSA session that is killed stays counted in the share file's counts: it cannot be distinguished from one that a
/// cheater interrupted.
public protocol UninterruptedSteps: Sendable {
    func run<Value: Sendable>(
        _ body: @Sendable () async throws(CustodyError) -> Value
    ) async throws(CustodyError) -> Value
}

/// Runs a step without protection: for processes that are not interrupted.
public struct UnprotectedSteps: UninterruptedSteps {
    public init() {}

    public func run<Value: Sendable>(
        _ body: @Sendable () async throws(CustodyError) -> Value
    ) async throws(CustodyError) -> Value { try await body() }
}
