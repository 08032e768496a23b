/// The reasons why a client's configuration and pins allow no connection to a server. Nothing was sent.
public enum ConnectionFault: Error, Equatable, Sendable {
    /// The server is an onion service, and the configuration has no proxy.
    case onionWithoutProxy
    /// The server is reached by `http`, which the configuration does not allow for its host.
    case notEncrypted
    /// The host has pins, and is reached by `http`: such a connection has no key.
    case pinsWithoutTLS
    /// The pin policy refuses hosts without pins, and the host is reached by `http`: such a connection has no key.
    case pinsRequired
}

extension ClientConfiguration {
    /// Checks all that can be checked before a connection is made.
    func check(_ origin: Origin, _ policy: PinPolicy) throws(ConnectionFault) {
        // RFC 7686, section 2: such a name is never looked up.
        if origin.isOnion, proxy == nil { throw .onionWithoutProxy }
        guard origin.scheme == .http else { return }
        // A host with pins is never reached without TLS, whatever else is configured; nor is a host without pins, if the
        // policy refuses those.
        if policy.entry(for: origin.host) != nil { throw .pinsWithoutTLS }
        guard plainHTTP.allows(origin, throughProxy: proxy != nil) else { throw .notEncrypted }
        if policy.unpinned == .refuse { throw .pinsRequired }
    }
}

extension HTTPFailure.Reason {
    /// The reason of a request that was not sent.
    init(_ fault: ConnectionFault) {
        self =
            switch fault {
            case .onionWithoutProxy: .notConnected
            case .notEncrypted, .pinsWithoutTLS: .notEncrypted
            case .pinsRequired: .notPinned(.noPins)
            }
    }
}
