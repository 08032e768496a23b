internal import NIOCore
internal import ServiceLifecycle

/// Tells the service manager that the server is alive, as often as it wants to hear so, and that it was told to end.
struct ServiceNotice: Service {
    let manager: ServiceManager
    /// Where connections are served.
    let eventLoops: any EventLoopGroup

    func run() async throws {
        if let interval = manager.interval {
            while (try? await cancelWhenGracefulShutdown({ try await Task.sleep(for: interval) })) != nil {
                // A loop that hangs serves nobody, and the manager is to hear nothing then: it starts the server anew.
                for loop in eventLoops.makeIterator() { try await loop.submit {}.get() }
                manager.send(.alive)
            }
        } else {
            try await gracefulShutdown()
        }
        manager.send(.stopping)
    }
}
