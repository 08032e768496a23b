internal import Synchronization

/// Holds a value that may be taken out once. Swift's collections cannot hold values that must not be copied; they can hold this.
package final class OneShot<Value: ~Copyable & Sendable>: Sendable {
    private let content: Mutex<Value?>

    package init(_ value: consuming sending Value) {
        content = Mutex(value)
    }

    /// The value, the first time; nothing ever after.
    package func take() -> Value? {
        content.withLock { content in
            var taken: Value? = nil
            swap(&taken, &content)
            return taken
        }
    }
}
