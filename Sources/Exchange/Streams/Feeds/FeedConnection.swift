internal import PinnedHTTP
internal import PinnedWebSockets
internal import Time

/// The connections of one feed, as ``StreamCore`` uses them: a port, so that tests have events of their own.
struct FeedConnection: Sendable {
    /// Waits for the next event; nil at the end.
    let next: @Sendable () async throws(WebSocketFailure) -> WebSocketEvent?
    /// Begins another connection in place of the present one.
    let replace: @Sendable () -> Void
    /// Closes the connections.
    let close: @Sendable () async -> Void
}

extension FeedConnection {
    init(_ stream: WebSocketStream) {
        next = { () async throws(WebSocketFailure) -> WebSocketEvent? in
            var iterator = stream.makeAsyncIterator()
            return try await iterator.next()
        }
        replace = { stream.replace() }
        close = { await stream.close() }
    }
}

extension WebSocketPolicy {
    /// The times and limits of a feed. Attempts to connect again have no end, with pauses of at most a minute.
    static func exchange(_ dialect: any StreamDialect) -> WebSocketPolicy {
        WebSocketPolicy(
            silence: dialect.silence,
            subscribeTimeout: ExchangeLimits.streamSubscription.duration,
            messageBytes: ExchangeLimits.streamMessageBytes)
    }
}

extension ExchangeError {
    /// Creates the error for a failed connection of a stream.
    init(_ failure: WebSocketFailure) {
        func transport(_ reason: HTTPFailure.Reason) -> ExchangeError {
            .transport(HTTPFailure(reason, mayHaveArrived: false))
        }
        self =
            switch failure {
            case .connection(let reason): transport(reason)
            case .refused(let status): .unclear(.status(status))
            case .handshake(.notHTTP): transport(.notHTTP)
            case .violation(.tooLarge(let limit)): transport(.tooLarge(limit: limit))
            case .handshake, .violation, .subscriptionFailed: .unclear(.answer)
            case .subscriptionTimedOut: transport(.timedOut(.answering))
            case .lost, .readerTooSlow: transport(.closed)
            case .cancelled: transport(.cancelled)
            }
    }
}
