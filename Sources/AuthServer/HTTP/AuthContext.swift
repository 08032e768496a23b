internal import Hummingbird
internal import NIOCore

/// What the handlers of one request know beside the request.
struct AuthContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// The other end of the connection, as text without a port. Behind a proxy it is the proxy's.
    let peer: String

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        peer = source.channel.remoteAddress?.ipAddress ?? "none"
    }
}
