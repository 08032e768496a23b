package import NIOCore

/// Runs the tasks of a connection on its event loop, where its bytes arrive and leave. On the default thread pool each
/// part of a request and of its answer would wake another thread.
///
/// Long computations do not belong on an event loop: see ``offEventLoop(_:)``.
package final class EventLoopExecutor: TaskExecutor {
    private let eventLoop: any EventLoop

    package init(_ eventLoop: any EventLoop) { self.eventLoop = eventLoop }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        eventLoop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

/// Runs work on the thread pool, so that other connections do not wait for it: for work that computes for milliseconds.
package func offEventLoop<Value: Sendable>(
    _ work: @Sendable () async throws -> Value
) async rethrows -> Value {
    try await withTaskExecutorPreference(globalConcurrentExecutor, operation: work)
}
