internal import Synchronization

/// A number of places for work that takes much: a caller that finds none free is told to come later.
final class Places: Sendable {
    private let free: Mutex<Int>

    /// - Parameter count: how many places there are.
    init(_ count: Int) { free = Mutex(count) }

    /// Takes a place, to be given back by ``leave()``. Returns whether one was free.
    func enter() -> Bool {
        free.withLock { free in
            guard free > 0 else { return false }
            free -= 1
            return true
        }
    }

    /// Gives a place back.
    func leave() { free.withLock { $0 += 1 } }
}
