public import PinnedHTTP

/// The messages of a WebSocket server, over connections that are made again when they end.
///
/// ```swift
/// let stream = client.stream(request, WebSocketPolicy(silence: .seconds(60))) { opening in
///     try await opening.send(.text(subscribe))
///     while try await opening.next() != .text(confirmation) {}
/// }
/// for try await event in stream {
///     switch event {
///     case .message(_, .text(let text)): book.apply(text)
///     case .gap: book.isStale = true
///     case .subscribed: try await book.load()
///     default: break
///     }
/// }
/// ```
///
/// Each connection has the checks of a request: no byte leaves before the pin is checked. A certificate, a pin, or a
/// message that is refused ends the stream with its error; so does a status other than 429, 502, 503 and 504. Other
/// failures are followed by another attempt after a random pause, and by a ``WebSocketEvent/gap(_:)``.
///
/// A stream has one reader. The memory is bounded: when the reader takes nothing, the client stops reading from the
/// network, and after ``WebSocketPolicy/readerPatience`` the stream ends. Connections of streams take none of the
/// places of `PoolLimits`. The stream ends with this value and its iterators.
public final class WebSocketStream: AsyncSequence, Sendable {
    let runner: WebSocketRunner

    init(_ dialer: WebSocketDialer) {
        runner = WebSocketRunner(dialer)
        runner.start()
    }

    deinit { runner.end(.success(())) }

    /// The reader of a stream.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let stream: WebSocketStream

        /// Waits for the next event.
        ///
        /// - Returns: nil after ``WebSocketStream/close()``.
        /// - Throws: ``WebSocketFailure``, after all events that came before.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(WebSocketFailure) -> WebSocketEvent? {
            try await stream.runner.events.next()
        }
    }

    /// Returns the iterator. All iterators of a stream share its events: each event goes to one of them.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(stream: self) }

    /// Sends a message on the present connection. A message is never sent twice.
    public func send(_ message: WebSocketMessage) async -> WebSocketSending { await runner.send(message) }

    /// Makes another connection, subscribes it, and ends the present one after that: at a moment that the caller
    /// chooses, before a server's limit of a connection's time.
    ///
    /// The events tell how it goes on. The old connection ends after its server has shown that it still served it when
    /// the new one was subscribed: then no gap is reported. This returns at once, so that the reader can call it.
    @discardableResult
    public func replace() -> WebSocketReplacement { runner.replace() }

    /// Closes the stream, and waits at most ``WebSocketPolicy/closeTimeout`` for the server.
    ///
    /// The reader still gets the messages that come before the server's answer, as far as the buffer has room.
    public func close() async { await runner.close() }
}

extension PinnedClient {
    /// Begins a stream.
    ///
    /// - Parameter subscribe: makes the subscription on each new connection. It returns after the server has confirmed
    ///   it: only then a replacement loses nothing. An error of its own ends the stream with
    ///   ``WebSocketFailure/subscriptionFailed``.
    public func stream(
        _ request: WebSocketRequest, _ policy: WebSocketPolicy,
        subscribe: @escaping @Sendable (WebSocketOpening) async throws -> Void = { _ in }
    ) -> WebSocketStream {
        WebSocketStream(WebSocketDialer(client: self, request: request, policy: policy, subscribe: subscribe))
    }
}
