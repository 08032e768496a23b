/// A new connection of a stream, for the time of its subscription.
///
/// The caller's closure sends the subscription and waits for the server's confirmation. Each message that it reads is
/// also an event of the stream, so that nothing is lost.
///
/// ```swift
/// { opening in
///     try await opening.send(.text(subscribe))
///     while try await opening.next() != .text(confirmation) {}
/// }
/// ```
public struct WebSocketOpening: Sendable {
    let connection: WebSocketConnection
    /// Adds a message to the events of the stream. Returns false if the stream is over.
    let pass: @Sendable (WebSocketMessage) async -> Bool

    /// The connection's number.
    public var number: Int { connection.number }

    /// Sends a message on this connection. A cancelled task gives up the connection: the server may read nothing.
    ///
    /// - Throws: ``WebSocketFailure/lost(_:)`` if it was not sent.
    public func send(_ message: WebSocketMessage) async throws(WebSocketFailure) {
        let sending = await withTaskCancellationHandler {
            await connection.send(message)
        } onCancel: {
            connection.cut(.notSubscribed)
        }
        guard case .sent = sending else { throw .lost(.cut) }
    }

    /// Waits for the next message of this connection.
    ///
    /// - Throws: ``WebSocketFailure/lost(_:)`` if the connection ended, ``WebSocketFailure/violation(_:)``.
    public func next() async throws(WebSocketFailure) -> WebSocketMessage {
        switch await connection.receive() {
        case .message(let message):
            guard await pass(message) else { throw .lost(.byCaller) }
            return message
        case .end(let end): throw .lost(end)
        case .violation(let violation): throw .violation(violation)
        }
    }
}
