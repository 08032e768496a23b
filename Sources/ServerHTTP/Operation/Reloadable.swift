internal import Synchronization

/// A value that was read from files, and is replaced when they change. Work that began with the old value finishes with
/// it.
package final class Reloadable<Value: Sendable>: Sendable {
    private let value: Mutex<Value>

    package init(_ value: Value) { self.value = Mutex(value) }

    package var current: Value { value.withLock { $0 } }

    package func replace(with new: Value) { value.withLock { $0 = new } }
}
