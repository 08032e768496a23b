internal import ServiceLifecycle

/// Copies events into the audit log until the server ends: at once when one was committed, and every second those that
/// an operator's command wrote. At the end it closes the log with a checkpoint.
struct AuditService: Service, CustomStringConvertible {
    let copying: AuditCopying
    let wakes: AsyncStream<Void>
    let wake: AsyncStream<Void>.Continuation

    /// Replaces the configuration in log lines: the library that runs services logs them.
    var description: String { "audit log" }

    func run() async throws {
        await withTaskGroup(of: Void.self) { group in
            let wake = wake
            group.addTask {
                while (try? await cancelWhenGracefulShutdown({ try await Task.sleep(for: .seconds(1)) })) != nil {
                    wake.yield()
                }
            }
            for await _ in wakes.cancelOnGracefulShutdown() { await copying.copy() }
            group.cancelAll()
        }
        await copying.close()
    }
}
