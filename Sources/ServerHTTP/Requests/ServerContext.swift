package import Hummingbird
package import NIOCore

/// The context of one request: what its handlers know beside the request itself.
package struct ServerContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    package let channel: any Channel
    /// The address of the other end of the connection. Behind a proxy it is the proxy's.
    package let peer: ClientAddress
    /// The client's address, as far as the network reveals it; nil for a probe that names no client.
    package var client: ClientAddress?

    package init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
        peer = ConnectionScope.peer ?? ClientAddress(of: source.channel)
    }
}

/// The connection that the current task works for.
package enum ConnectionScope {
    /// The address of the other end, which is read once for all requests of the connection.
    @TaskLocal package static var peer: ClientAddress?
}

extension ClientAddress {
    /// The address of the other end of a connection; `none` if it has no address.
    package init(of channel: any Channel) { self.init(channel.remoteAddress?.ipAddress ?? "none") }
}
