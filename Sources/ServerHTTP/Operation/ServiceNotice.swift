package import NIOCore
internal import ServiceLifecycle

/// Notifies the service manager that the server is alive, at the interval that it asks for, and that the server is
/// stopping.
package struct ServiceNotice: Service {
    package let manager: ServiceManager
    /// The event loops that serve connections.
    package let eventLoops: any EventLoopGroup

    package init(manager: ServiceManager, eventLoops: any EventLoopGroup) {
        self.manager = manager
        self.eventLoops = eventLoops
    }

    package func run() async throws {
        if let interval = manager.interval {
            while (try? await cancelWhenGracefulShutdown({ try await Task.sleep(for: interval) })) != nil {
                // A blocked loop serves no requests. The manager then gets no notice, and restarts the server.
                for loop in eventLoops.makeIterator() { try await loop.submit {}.get() }
                manager.send(.alive)
            }
        } else {
            try await gracefulShutdown()
        }
        manager.send(.stopping)
    }
}
