internal import Dispatch
internal import Secrets
internal import Synchronization

/// The blocking calls of one backend, one after the other on a thread of their own, each with a deadline.
///
/// A service that hangs keeps its thread, because a thread cannot be stopped from outside. The callers get
/// ``BackendFault/timedOut`` at their deadline, and later callers get it at once until the service has answered: no more
/// than one thread hangs, and nothing waits twice.
package final class BoundedCalls: Sendable {
    private let backend: StoreBackend
    private let limit: DispatchTimeInterval
    private let queue: DispatchQueue
    private let state = Mutex(State())

    private struct State {
        /// The number of the call that exceeded its deadline and has not returned; nil without one.
        var overdue: Int?
        var calls = 0
        var waiting = 0
    }

    /// Creates the calls of a backend.
    ///
    /// - Parameter limit: the time from asking to the answer, with the time behind earlier calls.
    package init(to backend: StoreBackend, limit: Duration = Limits.backendCall) {
        self.backend = backend
        let (seconds, attoseconds) = limit.components
        self.limit = .nanoseconds(Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000))
        queue = DispatchQueue(label: "fueki.\(backend.rawValue)")
    }

    /// The number of calls that have not returned.
    var waiting: Int { state.withLock { $0.waiting } }

    /// Makes a call, and waits without holding a thread.
    ///
    /// - Throws: ``BackendFault/timedOut``, and the call's own errors.
    package func run<Value: ~Copyable & Sendable>(
        _ call: @escaping @Sendable () throws(SecureStorageError) -> Value
    ) async throws(SecureStorageError) -> Value {
        let answer = Answer<Value>()
        let number = try enqueue(call, for: answer)
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            // Whichever comes first resumes: the answer, or the deadline.
            let first = OneShot(continuation)
            answer.whenGiven { first.take()?.resume() }
            DispatchQueue.global().asyncAfter(deadline: .now() + limit) { first.take()?.resume() }
        }
        return try result(of: answer, number: number)
    }

    /// Makes a call, and blocks the caller's thread until the answer or the deadline.
    ///
    /// - Throws: as ``run(_:)``.
    package func runBlocking<Value: ~Copyable & Sendable>(
        _ call: @escaping @Sendable () throws(SecureStorageError) -> Value
    ) throws(SecureStorageError) -> Value {
        let answer = Answer<Value>()
        let number = try enqueue(call, for: answer)
        let given = DispatchSemaphore(value: 0)
        answer.whenGiven { given.signal() }
        _ = given.wait(timeout: .now() + limit)
        return try result(of: answer, number: number)
    }

    private func enqueue<Value: ~Copyable & Sendable>(
        _ call: @escaping @Sendable () throws(SecureStorageError) -> Value, for answer: Answer<Value>
    ) throws(SecureStorageError) -> Int {
        let number = state.withLock { state -> Int? in
            guard state.overdue == nil, state.waiting < Limits.backendCallsWaiting else { return nil }
            state.waiting += 1
            state.calls += 1
            return state.calls
        }
        guard let number else { throw .backend(backend, .timedOut) }
        queue.async { [self] in
            // A call that nothing waits for is not begun.
            if !answer.isAbandoned { answer.give(Self.result(of: call)) }
            state.withLock { state in
                state.waiting -= 1
                if state.overdue == number { state.overdue = nil }
            }
        }
        return number
    }

    private static func result<Value: ~Copyable & Sendable>(
        of call: @Sendable () throws(SecureStorageError) -> Value
    ) -> Result<Value, SecureStorageError> {
        do throws(SecureStorageError) { return .success(try call()) } catch { return .failure(error) }
    }

    private func result<Value: ~Copyable & Sendable>(
        of answer: Answer<Value>, number: Int
    ) throws(SecureStorageError) -> Value {
        guard let given = answer.takeOrAbandon({ state.withLock { $0.overdue = number } }) else {
            throw .backend(backend, .timedOut)
        }
        return try given.get()
    }
}

/// The answer to one call. It is wiped with its secrets if nothing waits for it.
private final class Answer<Value: ~Copyable & Sendable>: Sendable {
    private enum State {
        case awaited(by: (@Sendable () -> Void)?)
        case given(OneShot<Result<Value, SecureStorageError>>)
        case abandoned
    }

    private let state = Mutex(State.awaited(by: nil))

    var isAbandoned: Bool {
        state.withLock { state in
            if case .abandoned = state { true } else { false }
        }
    }

    func give(_ value: consuming sending Result<Value, SecureStorageError>) {
        let value = OneShot(value)
        let waiter = state.withLock { state -> (@Sendable () -> Void)? in
            guard case .awaited(by: let waiter) = state else { return nil }
            state = .given(value)
            return waiter
        }
        waiter?()
    }

    /// Calls `waiter` once the answer is given, or at once if it is.
    func whenGiven(_ waiter: @escaping @Sendable () -> Void) {
        let isGiven = state.withLock { state in
            guard case .awaited = state else { return true }
            state = .awaited(by: waiter)
            return false
        }
        if isGiven { waiter() }
    }

    /// Returns the answer; without one, it is no longer awaited.
    ///
    /// - Parameter abandoned: called before the call can return.
    func takeOrAbandon(_ abandoned: () -> Void) -> Result<Value, SecureStorageError>? {
        let given = state.withLock { state -> OneShot<Result<Value, SecureStorageError>>? in
            if case .given(let value) = state { return value }
            state = .abandoned
            abandoned()
            return nil
        }
        return given?.take()
    }
}
