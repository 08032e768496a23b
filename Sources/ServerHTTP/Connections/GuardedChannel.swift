package import HummingbirdCore
package import Logging
package import NIOCore
internal import NIOHTTP1
package import NIOSSL

/// The set-up of a connection: it is registered in the ``ConnectionTable``, gets TLS where that is configured, and a
/// ``RequestFlow`` between the decoder and the library.
package struct GuardedChannel: ServerChildChannel {
    package let base: HTTP1Channel
    package let table: ConnectionTable
    package let limits: ConnectionLimits
    package let rules: HeadRules
    /// The certificate for new connections; nil without TLS.
    package let certificate: Reloadable<NIOSSLContext>?

    /// The error of a connection that the table has refused and closed.
    private struct Refused: Error {}

    package func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
        let address = ClientAddress(of: channel)
        let end = SocketEnd()
        let bound = NIOLoopBound(end, eventLoop: channel.eventLoop)
        let close: @Sendable () -> Void = { channel.eventLoop.execute { bound.value.close() } }
        guard let id = table.admit(address, close: close) else {
            channel.close(promise: nil)
            return channel.eventLoop.makeFailedFuture(Refused())
        }
        channel.closeFuture.whenComplete { [table] _ in table.remove(id) }
        return channel.eventLoop.makeCompletedFuture {
            // What the server and the system hold for a client that does not read is bounded.
            let options = channel.syncOptions
            try options?.setOption(.socketOption(.so_sndbuf), value: numericCast(limits.sendBufferBytes))
            try options?.setOption(.maxMessagesPerRead, value: 1)
            try options?.setOption(
                .recvAllocator,
                value: AdaptiveRecvByteBufferAllocator(
                    minimum: 1_024, initial: 2_048, maximum: limits.receivedBytes))
            let pipeline = channel.pipeline.syncOperations
            try pipeline.addHandler(end)
            if let certificate { try pipeline.addHandler(NIOSSLServerHandler(context: certificate.current)) }
        }.flatMap {
            base.setup(channel: channel, logger: logger)
        }.map { value in
            do {
                let pipeline = channel.pipeline.syncOperations
                let flow = RequestFlow(id, in: table, limits, rules, end: bound.value)
                let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
                try pipeline.addHandler(flow, position: .after(decoder))
                try pipeline.addHandler(RequestFlow.Bytes(of: flow), position: .before(decoder))
            } catch {
                // The connection has been closed already.
                channel.close(promise: nil)
            }
            // A server that begins to stop drops the connections that it has accepted and not handled yet. Without this
            // reference the library would end the process then ("Deinited NIOAsyncWriter without calling finish()").
            channel.closeFuture.whenComplete { _ in withExtendedLifetime(value) {} }
            channel.eventLoop.scheduleTask(in: .milliseconds(limits.firstHeadMilliseconds)) {
                if !bound.value.isHandled { bound.value.close() }
            }
            return value
        }.flatMapErrorThrowing { error in
            channel.close(promise: nil)
            throw error
        }
    }

    package func handle(value: HTTP1Channel.Value, logger: Logger) async {
        value.channel.eventLoop.execute {
            (try? value.channel.pipeline.syncOperations.handler(type: SocketEnd.self))?.isHandled = true
        }
        await withTaskExecutorPreference(EventLoopExecutor(value.channel.eventLoop)) {
            await ConnectionScope.$peer.withValue(ClientAddress(of: value.channel)) {
                await base.handle(value: value, logger: logger)
            }
        }
    }
}

/// The handler next to the socket. It closes the socket at once. TLS would first send a closing alert and wait seconds
/// for the client's alert, during which a closed connection would still hold a file descriptor.
package final class SocketEnd: ChannelInboundHandler {
    package typealias InboundIn = ByteBuffer

    private var context: ChannelHandlerContext?
    /// Whether the server answers the connection's requests: one that it accepted while it began to stop has no task.
    fileprivate(set) var isHandled = false

    package func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    package func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    package func close() { context?.close(promise: nil) }
}
