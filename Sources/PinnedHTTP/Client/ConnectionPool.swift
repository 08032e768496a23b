internal import Synchronization

/// The places for simultaneous requests, and the idle connections.
final class ConnectionPool: Sendable {
    private struct Waiter {
        let id: UInt64
        let origin: Origin
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct Idle {
        let wire: Wire
        let id: UInt64
        /// Closes the connection after its time.
        let timer: Task<Void, Never>
    }

    private struct State {
        var busy: [Origin: Int] = [:]
        var total = 0
        var waiters: [Waiter] = []
        /// The oldest first.
        var idle: [Idle] = []
        var nextID: UInt64 = 0
        /// Waiters that were cancelled before they waited.
        var cancelled: Set<UInt64> = []

        mutating func newID() -> UInt64 {
            nextID += 1
            return nextID
        }

        mutating func take(_ origin: Origin, _ limits: PoolLimits) -> Bool {
            guard total < limits.total, busy[origin, default: 0] < limits.perOrigin else { return false }
            total += 1
            busy[origin, default: 0] += 1
            return true
        }
    }

    private let state = Mutex(State())
    private let limits: PoolLimits
    private let clock: any Clock<Duration>

    init(_ limits: PoolLimits, clock: any Clock<Duration>) {
        self.limits = limits
        self.clock = clock
    }

    // MARK: - Places

    /// Waits for a place, first come first served for each origin. Returns false if the task is cancelled.
    func takePlace(for origin: Origin) async -> Bool {
        let id = state.withLock { $0.newID() }
        // Noted if the task was cancelled after it had its place.
        defer { state.withLock { _ = $0.cancelled.remove(id) } }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let outcome: Bool? = state.withLock { state in
                    if state.cancelled.remove(id) != nil { return false }
                    let isFirst = !state.waiters.contains { $0.origin == origin }
                    if isFirst, state.take(origin, limits) { return true }
                    state.waiters.append(Waiter(id: id, origin: origin, continuation: continuation))
                    return nil
                }
                if let outcome { continuation.resume(returning: outcome) }
            }
        } onCancel: {
            let waiter: Waiter? = state.withLock { state in
                guard let index = state.waiters.firstIndex(where: { $0.id == id }) else {
                    state.cancelled.insert(id)
                    return nil
                }
                return state.waiters.remove(at: index)
            }
            waiter?.continuation.resume(returning: false)
        }
    }

    /// Gives a place back. The first waiter that it is enough for takes it.
    func givePlaceBack(of origin: Origin) {
        let next: Waiter? = state.withLock { state in
            state.total -= 1
            let left = state.busy[origin, default: 1] - 1
            state.busy[origin] = left > 0 ? left : nil
            for (index, waiter) in state.waiters.enumerated() where state.take(waiter.origin, limits) {
                return state.waiters.remove(at: index)
            }
            return nil
        }
        next?.continuation.resume(returning: true)
    }

    // MARK: - Idle connections

    /// Takes the newest idle connection to an origin that still works.
    ///
    /// - Parameter serial: the number of the pin policy in use: connections that an older one allowed are closed.
    func idleWire(to origin: Origin, serial: UInt64) -> Wire? {
        var closing: [Idle] = []
        let found: Idle? = state.withLock { state in
            var usable: [Idle] = []
            for idle in state.idle {
                if idle.wire.isIdle, idle.wire.serial == serial { usable.append(idle) } else { closing.append(idle) }
            }
            state.idle = usable
            guard let index = state.idle.lastIndex(where: { $0.wire.origin == origin }) else { return nil }
            return state.idle.remove(at: index)
        }
        for idle in closing { end(idle) }
        found?.timer.cancel()
        return found?.wire
    }

    /// Keeps a connection for the next request, for a limited time.
    func keep(_ wire: Wire) {
        guard limits.idle > 0, wire.isIdle else { return wire.close() }
        let id = state.withLock { $0.newID() }
        let (clock, time) = (clock, limits.idleTime)
        let timer = Task { [weak self] in
            guard (try? await clock.sleep(for: time)) != nil else { return }
            self?.drop(id)
        }
        let surplus: Idle? = state.withLock { state in
            state.idle.append(Idle(wire: wire, id: id, timer: timer))
            return state.idle.count > limits.idle ? state.idle.removeFirst() : nil
        }
        if let surplus { end(surplus) }
    }

    /// The number of idle connections.
    var idleCount: Int { state.withLock { $0.idle.count } }

    /// Closes all idle connections.
    func closeIdle() {
        let idle = state.withLock { state in
            defer { state.idle = [] }
            return state.idle
        }
        for entry in idle { end(entry) }
    }

    private func drop(_ id: UInt64) {
        let found: Idle? = state.withLock { state in
            guard let index = state.idle.firstIndex(where: { $0.id == id }) else { return nil }
            return state.idle.remove(at: index)
        }
        if let found { end(found) }
    }

    private func end(_ idle: Idle) {
        idle.timer.cancel()
        idle.wire.close()
    }
}
