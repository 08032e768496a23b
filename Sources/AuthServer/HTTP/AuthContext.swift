internal import Hummingbird
internal import NIOCore

/// What the handlers of one request know beside the request.
struct AuthContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    let channel: any Channel
    /// The other end of the connection. Behind a proxy it is the proxy.
    let peer: ClientAddress
    /// Whose request it is, as far as the network tells; nil of a probe that names no client.
    var client: ClientAddress?

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
        peer = ConnectionScope.peer ?? ClientAddress(of: source.channel)
    }
}

/// The connection that the current task works for.
enum ConnectionScope {
    /// The other end, which is read once for all requests of the connection.
    @TaskLocal static var peer: ClientAddress?
}

extension ClientAddress {
    /// The other end of a connection; `none` of one that has no address.
    init(of channel: any Channel) { self.init(channel.remoteAddress?.ipAddress ?? "none") }
}
