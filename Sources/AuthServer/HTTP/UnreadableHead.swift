internal import AuthAPI
internal import Encoding
internal import NIOCore
internal import NIOHTTP1

/// Answers a request whose head the HTTP library does not read, because it is too large or no HTTP. By itself the library
/// closes the connection without a word.
final class UnreadableHead: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// Requests that were read and are not answered yet: another answer now would be taken for theirs.
    private var unanswered = 0
    private var isOver = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head = unwrapInboundIn(data) { unanswered += 1 }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .end = unwrapOutboundIn(data) { unanswered -= 1 }
        context.write(data, promise: promise)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if isOver { return }
        guard let error = error as? HTTPParserError, unanswered == 0 else { return context.fireErrorCaught(error) }
        isOver = true
        // It does not say whether the address or the fields were too large.
        let problem = error == .headerOverflow ? Problem(.tooLarge, status: 431) : Problem(.malformedRequest)
        let body = problem.json.encoded
        let headers = HTTPHeaders([
            ("Content-Type", "application/problem+json"), ("Content-Length", "\(body.count)"),
            ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"), ("Connection", "close"),
        ])
        let status = HTTPResponseStatus(statusCode: problem.status)
        context.write(
            wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: status, headers: headers))), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: body)))), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        // Only this half: were all of it closed while the client still sends, the system would take the answer back. The client
        // closes the other half, or the time limit of idle connections does.
        context.close(mode: .output, promise: nil)
    }
}
