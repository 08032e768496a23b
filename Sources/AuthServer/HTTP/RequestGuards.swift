internal import NIOCore
internal import NIOHTTP1

/// Puts about the decoder of a connection what looks at requests before the library does: ``UnreadableHead``,
/// ``RequestDeadline``, ``IgnoredUpgrade``. The server lets handlers in only further behind.
final class RequestGuards: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = Never

    private let requestMilliseconds: Int64

    /// - Parameter requestMilliseconds: how long a request may take to arrive.
    init(requestMilliseconds: Int64) { self.requestMilliseconds = requestMilliseconds }

    func handlerAdded(context: ChannelHandlerContext) {
        let pipeline = context.pipeline.syncOperations
        let deadline = RequestDeadline(milliseconds: requestMilliseconds)
        do {
            let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
            try pipeline.addHandlers([UnreadableHead(), deadline, IgnoredUpgrade()], position: .after(decoder))
            try pipeline.addHandler(RequestDeadline.FirstBytes(of: deadline), position: .before(decoder))
        } catch {
            // There is no such connection; it would answer less politely, which is no reason not to take it.
        }
    }
}
