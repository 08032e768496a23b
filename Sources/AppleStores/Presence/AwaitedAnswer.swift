internal import Dispatch
internal import Synchronization

/// The answer of a system's function that calls back: a thread of `BoundedCalls` waits for it.
///
/// If the system never calls back, the thread waits for ever, and the callers of the bounded call do not.
final class AwaitedAnswer<Value: Sendable>: Sendable {
    private let given = DispatchSemaphore(value: 0)
    private let value = Mutex<Value?>(nil)

    /// Gives the answer. Only the first one counts.
    func give(_ answer: Value) {
        let isFirst = value.withLock { value in
            guard value == nil else { return false }
            value = .some(answer)
            return true
        }
        if isFirst { given.signal() }
    }

    /// Waits for the answer.
    func wait() -> Value {
        while true {
            given.wait()
            if let answer = value.withLock({ $0 }) { return answer }
        }
    }
}
