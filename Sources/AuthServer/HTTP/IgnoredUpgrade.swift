internal import NIOCore
internal import NIOHTTP1

/// Ends a connection after a request that asked for another protocol, or for a tunnel. The server has none and answers such a
/// request as any other (RFC 9110 section 7.8); but the decoder reads nothing behind it. A proxy that went on with the
/// connection would wait in vain, with a request of somebody else.
final class IgnoredUpgrade: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private var mustClose = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(var head) = unwrapInboundIn(data),
            head.method == .CONNECT || head.headers.contains(name: "Upgrade")
        else { return context.fireChannelRead(data) }
        mustClose = true
        // The server closes when a request asks for it.
        head.headers.replaceOrAdd(name: "Connection", value: "close")
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard mustClose, case .head(var head) = unwrapOutboundIn(data) else {
            return context.write(data, promise: promise)
        }
        head.headers.replaceOrAdd(name: "Connection", value: "close")
        context.write(wrapOutboundOut(.head(head)), promise: promise)
    }
}
