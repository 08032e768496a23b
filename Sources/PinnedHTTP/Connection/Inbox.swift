internal import NIOCore
internal import NIOSSL
internal import NIOTLS
internal import Synchronization

/// The last handler of a connection: it keeps what the connection received until a reader takes it.
final class Inbox: ChannelInboundHandler, Sendable {
    typealias InboundIn = ByteBuffer

    private struct State {
        var bytes: [UInt8] = []
        var end: Wire.End?
        /// Whether TLS is established, and the protocol that was negotiated.
        var isSecured = false
        var negotiated: String?
        /// The first error of the connection.
        var error: (any Error)?
        var isPaused = false
        var readers: [CheckedContinuation<Void, Never>] = []

        mutating func takeReaders() -> [CheckedContinuation<Void, Never>] {
            defer { readers = [] }
            return readers
        }
    }

    private let state = Mutex(State())

    // MARK: - The event loop's side

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let buffer = unwrapInboundIn(data)
        let (readers, isFull) = state.withLock { state in
            state.bytes.append(contentsOf: buffer.readableBytesView)
            let isFull = state.bytes.count > HTTPLimits.bufferedBytes && !state.isPaused
            if isFull { state.isPaused = true }
            return (state.takeReaders(), isFull)
        }
        if isFull { context.channel.setOption(.autoRead, value: false).whenFailure { _ in } }
        for reader in readers { reader.resume() }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .handshakeCompleted(let negotiated) = event as? TLSUserEvent {
            change {
                $0.isSecured = true
                $0.negotiated = negotiated
            }
        }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        change {
            if $0.error == nil { $0.error = error }
            if $0.end == nil { $0.end = .broken }
        }
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        change { if $0.end == nil { $0.end = .closed } }
        context.fireChannelInactive()
    }

    // MARK: - The reader's side

    /// Waits for the next bytes, or for the end. With several readers one of them gets the bytes.
    func receive(from channel: any Channel) async -> Wire.Received {
        while true {
            await wait(on: channel) { !$0.bytes.isEmpty || $0.end != nil }
            // A server that never stops to write would never be waited for.
            if Task.isCancelled {
                abandon()
                channel.close(promise: nil)
                return .end(.abandoned)
            }
            // Another reader may have taken the bytes.
            if let received = take(channel) { return received }
        }
    }

    private func take(_ channel: any Channel) -> Wire.Received? {
        state.withLock { state in
            if state.bytes.isEmpty { return state.end.map { .end($0) } }
            let bytes = state.bytes
            state.bytes = []
            if state.isPaused {
                state.isPaused = false
                channel.setOption(.autoRead, value: true).whenFailure { _ in }
            }
            return .bytes(bytes)
        }
    }

    /// Waits until TLS is established, or the connection is over.
    func secured(on channel: any Channel) async -> HandshakeEnd {
        await wait(on: channel) { $0.isSecured || $0.end != nil }
        return state.withLock { state in
            state.isSecured ? .secured(negotiated: state.negotiated) : .failed(state.error)
        }
    }

    /// The outcome of a handshake.
    enum HandshakeEnd: Sendable {
        case secured(negotiated: String?)
        case failed((any Error)?)
    }

    /// Whether nothing waits to be read, and the connection is not over: it may be used again.
    var isQuiet: Bool { state.withLock { $0.bytes.isEmpty && $0.end == nil } }

    /// Whether bytes wait to be read.
    var hasBytes: Bool { state.withLock { !$0.bytes.isEmpty } }

    /// Ends the connection for its reader at once. The channel is closed in the background.
    func abandon() { change { if $0.end == nil { $0.end = .abandoned } } }

    /// Waits until the state is as wanted. A cancelled task gives up the connection, which is a wanted state, too.
    private func wait(on channel: any Channel, until isReady: @Sendable (State) -> Bool) async {
        while !state.withLock({ isReady($0) }) {
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    let isOver = state.withLock { state in
                        if isReady(state) { return true }
                        state.readers.append(continuation)
                        return false
                    }
                    if isOver { continuation.resume() }
                }
            } onCancel: {
                abandon()
                channel.close(promise: nil)
            }
        }
    }

    private func change(_ body: (inout State) -> Void) {
        let readers = state.withLock { state in
            body(&state)
            return state.takeReaders()
        }
        for reader in readers { reader.resume() }
    }
}
