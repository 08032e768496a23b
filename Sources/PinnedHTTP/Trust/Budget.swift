internal import Synchronization

/// A number of steps that a search for a chain may take, in all of its parts together.
final class Budget: Sendable {
    private let left: Mutex<Int>

    init(_ count: Int) { left = Mutex(count) }

    /// Takes steps, and returns whether there were as many. Afterwards none is left if there were not.
    func take(_ count: Int = 1) -> Bool {
        left.withLock { left in
            guard left >= count else {
                left = 0
                return false
            }
            left -= count
            return true
        }
    }
}
