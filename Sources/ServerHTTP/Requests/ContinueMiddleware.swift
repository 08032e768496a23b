internal import HTTPTypes
package import Hummingbird
internal import NIOCore

/// Answers `100 Continue` to a client that waits with the body (RFC 9110 section 10.1.1), as soon as a handler waits
/// for the body: not if the request is refused before.
package struct ContinueMiddleware: RouterMiddleware {
    package typealias Context = ServerContext

    package init() {}

    package func handle(
        _ request: Request, context: ServerContext, next: (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        guard request.headers[.expect]?.lowercased() == "100-continue" else { return try await next(request, context) }
        var request = request
        request.body = RequestBody(asyncSequence: AwaitedBody(body: request.body, channel: context.channel))
        return try await next(request, context)
    }
}

/// A body that announces when a handler waits for it: ``RequestFlow/BodyIsAwaited``.
private struct AwaitedBody: AsyncSequence, Sendable {
    let body: RequestBody
    let channel: any Channel

    struct AsyncIterator: AsyncIteratorProtocol {
        var body: RequestBody.AsyncIterator
        let channel: any Channel
        var wasAwaited = false

        mutating func next() async throws -> ByteBuffer? {
            if !wasAwaited {
                wasAwaited = true
                channel.triggerUserOutboundEvent(RequestFlow.BodyIsAwaited(), promise: nil)
            }
            return try await body.next()
        }
    }

    func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(body: body.makeAsyncIterator(), channel: channel)
    }
}
