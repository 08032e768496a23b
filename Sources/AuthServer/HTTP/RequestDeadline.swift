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
        if case .end = unwrapInboundIn(data) { cancel() }
        context.fireChannelRead(data)
    }

    func channelInactive(context: ChannelHandlerContext) {
        cancel()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) { cancel() }

    private func begin(_ context: ChannelHandlerContext) {
        guard deadline == nil else { return }
        deadline = context.eventLoop.assumeIsolated().scheduleTask(in: time) { context.close(promise: nil) }
    }

    private func cancel() {
        deadline?.cancel()
        deadline = nil
    }

    /// Goes before the decoder, and sees the first bytes of a request when the decoder has no whole head yet.
    final class FirstBytes: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias InboundOut = ByteBuffer

        private let deadline: RequestDeadline

        init(of deadline: RequestDeadline) { self.deadline = deadline }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            deadline.begin(context)
            context.fireChannelRead(data)
        }
    }
}
