internal import NIOCore
internal import NIOHTTP1

/// Closes a connection on which a request has begun and does not come to its end. By itself the library gives up only one on
/// which nothing happens: whoever sends a byte now and then would hold it for days.
final class RequestDeadline: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    private let time: TimeAmount
    private var deadline: Scheduled<Void>?

    init(milliseconds: Int64) { time = .milliseconds(milliseconds) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head:
            let loop = context.eventLoop.assumeIsolated()
            deadline = loop.scheduleTask(in: time) { context.close(promise: nil) }
        case .body: break
        case .end: cancel()
        }
        context.fireChannelRead(data)
    }

    func channelInactive(context: ChannelHandlerContext) {
        cancel()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) { cancel() }

    private func cancel() {
        deadline?.cancel()
        deadline = nil
    }
}
