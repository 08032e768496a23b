/// The supervision of one connection: pings with a deadline, the silence, and the age.
struct WebSocketHeartbeat: Sendable {
    let connection: WebSocketConnection
    let policy: WebSocketPolicy
    let clock: any Clock<Duration>

    /// Supervises until the task is cancelled.
    func run() async {
        await withTaskGroup { group in
            group.addTask { await pings() }
            group.addTask { await silence() }
            group.addTask { if await pause(policy.usefulAfter) { connection.age() } }
        }
    }

    /// Ends a connection whose server does not answer pings: it may be half-open. Also ends one that the pin policy would
    /// no longer allow: a stream may last for days.
    private func pings() async {
        while await pause(policy.pingInterval) {
            guard connection.isAllowed else { return connection.cut(.policyChanged) }
            await connection.ping()
            guard await pause(policy.pongTimeout, unlessStalled: { connection.isPongAwaited }) else { return }
            if connection.isPongAwaited { return connection.cut(.noPong) }
        }
    }

    /// Ends a connection whose server sends no message, whether or not it answers pings.
    private func silence() async {
        guard let silence = policy.silence else { return }
        var (messages, stalls, quietLooks) = (connection.messages, connection.stalls, 0)
        while await pause(silence / WebSocketLimits.silenceLooks) {
            if connection.messages != messages || connection.stalls != stalls || connection.isStalled {
                (messages, stalls, quietLooks) = (connection.messages, connection.stalls, 0)
            } else {
                quietLooks += 1
            }
            if quietLooks >= WebSocketLimits.silenceLooks { return connection.cut(.silent) }
        }
    }

    /// Ends a connection that is being replaced, whose server does not show in time that it still serves it.
    func overlap() async {
        if await pause(policy.closeTimeout, unlessStalled: { !connection.hasOverlapped }) { connection.cut(.noPong) }
    }

    /// Waits, and again as long as the stream's reader was waited for meanwhile: then pongs were not read, and their
    /// absence says nothing.
    private func pause(_ duration: Duration, unlessStalled isNeeded: () -> Bool) async -> Bool {
        var stalls: Int
        repeat {
            stalls = connection.stalls
            guard await pause(duration) else { return false }
        } while isNeeded() && (connection.isStalled || connection.stalls != stalls)
        return true
    }

    /// Returns false if the task is cancelled.
    private func pause(_ duration: Duration) async -> Bool {
        (try? await clock.sleep(for: duration)) != nil && !Task.isCancelled
    }
}
