internal import Hummingbird
internal import NIOCore

/// What the handlers of one request know beside the request.
struct AuthContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    let channel: any Channel
    /// The other end of the connection, as text without a port. Behind a proxy it is the proxy's.
    let peer: String
    /// Whose request it is, as far as the network tells; nil of a probe that names no client.
    var client: ClientAddress?

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
        peer = source.channel.remoteAddress?.ipAddress ?? "none"
    }
}
