internal import Synchronization

/// A value that may be taken out once. Swift's collections cannot contain noncopyable values; they can contain this.
package final class OneShot<Value: ~Copyable & Sendable>: Sendable {
    private let content: Mutex<Value?>

    package init(_ value: consuming sending Value) {
        content = Mutex(value)
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
