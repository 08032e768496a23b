internal import Synchronization

/// A value that may be taken out once. Swift's collections cannot contain noncopyable values; they can contain this.
package final class OneShot<Value: ~Copyable & Sendable>: Sendable {
    private let content: Mutex<Value?>

    package init(_ value: consuming sending Value) {
        content = Mutex(value)
    }

    /// Returns what a call makes of the value, which stays; nil after ``take()``.
    package func borrow<Result: Sendable, Failure: Error>(
        _ body: (borrowing Value) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        try content.withLock { content throws(Failure) in
            switch content {
            case .some(let value): try body(value)
            case .none: nil
            }
        }
    }

    /// Returns the value at the first call, and nil afterwards.
    package func take() -> Value? {
        content.withLock { content in
            var taken: Value? = nil
            swap(&taken, &content)
            return taken
        }
    }
}
