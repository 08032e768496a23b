internal import NIOCore
internal import Synchronization

/// An established connection: bytes in both directions, over TLS if the origin says so. Its certificate is verified and
/// its pin checked before this value exists.
///
/// HTTP and WebSocket are built on it: each reads and writes in one task at a time.
package final class Wire: Sendable {
    /// The server.
    let origin: Origin
    /// The verified chain; nil without TLS.
    let chain: VerifiedChain?
    /// The number of the pin policy by which the connection was allowed.
    let serial: UInt64
    private let channel: any Channel
    private let inbox: Inbox
    /// The number of writes that the system has not taken whole.
    private let unsent = Atomic(0)

    init(_ channel: any Channel, _ inbox: Inbox, to origin: Origin, chain: VerifiedChain?, serial: UInt64) {
        self.channel = channel
        self.inbox = inbox
        self.origin = origin
        self.chain = chain
        self.serial = serial
    }

    deinit { channel.close(promise: nil) }

    /// Whether the connection may carry another request: it is open, nothing waits to be sent, and the server has
    /// sent nothing unasked.
    package var isIdle: Bool { channel.isActive && unsent.load(ordering: .acquiring) == 0 && inbox.isQuiet }

    /// Whether bytes wait to be read.
    package var hasBytes: Bool { inbox.hasBytes }

    /// Hands bytes to the network. It does not wait until they are sent, so that an answer to the first ones is read.
    ///
    /// - Parameters:
    ///   - isQuiet: whether bytes of the server that were not read are a reason to send nothing: they would be read as
    ///     the answer.
    ///   - departing: is called immediately before, if the connection is open.
    /// - Returns: false if the connection is closed: then no byte was handed over.
    package func send(
        _ bytes: [UInt8], ifQuiet isQuiet: Bool = false, departing: @escaping @Sendable () -> Void = {}
    ) async -> Bool {
        let (channel, inbox) = (channel, inbox)
        let buffer = ByteBuffer(bytes: bytes)
        return await Uncancelled.value(
            of: channel.eventLoop.submit {
                guard channel.isActive, !isQuiet || inbox.isQuiet else { return false }
                departing()
                self.unsent.add(1, ordering: .acquiringAndReleasing)
                channel.writeAndFlush(buffer).whenComplete { [weak self] _ in
                    _ = self?.unsent.subtract(1, ordering: .acquiringAndReleasing)
                }
                return true
            }, else: false)
    }

    /// The outcome of ``deliver(_:)``.
    package enum Delivery: Sendable {
        /// The system has taken all bytes.
        case taken
        /// The connection was closed: no byte was handed over.
        case refused
        /// The connection ended meanwhile: some bytes may have left.
        case lost
    }

    /// Hands bytes to the network, waits until the system has taken them, and tells whether some may have left if it has
    /// not.
    package func deliver(_ bytes: [UInt8]) async -> Delivery {
        let channel = channel
        let buffer = ByteBuffer(bytes: bytes)
        return await Uncancelled.value(
            of: channel.eventLoop.flatSubmit {
                guard channel.isActive else { return channel.eventLoop.makeSucceededFuture(.refused) }
                return channel.writeAndFlush(buffer).map { .taken }
            }, else: .lost)
    }

    /// The end of a connection.
    package enum End: Sendable {
        /// The other end closed it. Over TLS it said so.
        case closed
        /// It broke, or ended without the announcement of TLS: an attacker may have cut it.
        case broken
        /// Its own side gave it up.
        case abandoned
    }

    /// The outcome of a read.
    package enum Received: Sendable {
        case bytes([UInt8])
        case end(End)
    }

    /// Waits for the next bytes. A cancelled task gets ``End/abandoned``.
    package func receive() async -> Received { await inbox.receive(from: channel) }

    /// Closes the connection in the background.
    package func close() {
        inbox.abandon()
        channel.close(promise: nil)
    }
}

/// Waits for a future whose time is bounded by the event loop.
enum Uncancelled {
    static func value<Value: Sendable>(of future: EventLoopFuture<Value>, else fallback: Value) async -> Value {
        (try? await future.get()) ?? fallback
    }
}
