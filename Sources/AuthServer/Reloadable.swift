internal import Synchronization

/// A value that was read from files, and is replaced when they have changed. What has begun with the old one goes on with it.
final class Reloadable<Value: Sendable>: Sendable {
    private let value: Mutex<Value>

    init(_ value: Value) { self.value = Mutex(value) }

    var current: Value { value.withLock { $0 } }

    func replace(with new: Value) { value.withLock { $0 = new } }
}
