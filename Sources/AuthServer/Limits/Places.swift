internal import Synchronization

/// A limited number of places for expensive work. A caller that finds no free place is told to retry later.
final class Places: Sendable {
    private let free: Mutex<Int>

    /// - Parameter count: the number of places.
    init(_ count: Int) { free = Mutex(count) }

    /// Takes a place, until ``leave()`` returns it. Returns whether a place was free.
    func enter() -> Bool {
        free.withLock { free in
            guard free > 0 else { return false }
            free -= 1
            return true
        }
    }

    /// Returns a place.
    func leave() { free.withLock { $0 += 1 } }
}
