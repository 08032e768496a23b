/// The limit of an operation's time.
package enum TimeLimit {
    /// Runs an operation, and cancels it when the time is over. It waits for the operation's end in any case, so that
    /// nothing that the operation made is lost.
    ///
    /// - Returns: the operation's value, and whether it was cancelled because the time was over.
    package static func run<Value: Sendable>(
        _ limit: Duration, _ clock: any Clock<Duration>, _ operation: @escaping @Sendable () async -> Value
    ) async -> (value: Value, isOver: Bool) {
        let work = Task { await operation() }
        let timer = Task { () -> Bool in
            guard (try? await clock.sleep(for: limit)) != nil, !Task.isCancelled else { return false }
            work.cancel()
            return true
        }
        return await withTaskCancellationHandler {
            let value = await work.value
            timer.cancel()
            return (value, await timer.value)
        } onCancel: {
            work.cancel()
        }
    }
}
