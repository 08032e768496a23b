/// The settings of a client: trusted authorities, proxy, limits.
public struct ClientConfiguration: Sendable {
    /// The hosts that are reached over HTTP without TLS.
    public enum PlainHTTP: Sendable {
        /// None.
        case never
        /// This machine, as the address says: `localhost`, 127.0.0.0/8, ::1. With a proxy none, since the proxy's
        /// machine may be another one.
        case loopback
        /// These hosts, and without a proxy this machine: for a person's own node in a network of their own.
        ///
        /// - Warning: A person on the way can read and change requests and answers.
        case hosts(Set<String>)

        func allows(_ origin: Origin, throughProxy isProxied: Bool) -> Bool {
            switch self {
            case .never: false
            case .loopback: !isProxied && origin.isLoopback
            case .hosts(let hosts): !isProxied && origin.isLoopback || hosts.contains(origin.host)
            }
        }
    }

    /// The name of this program, for the header `User-Agent`; empty for none.
    ///
    /// - Precondition: it is one line of visible ASCII.
    public var userAgent: String { didSet { Self.check(userAgent) } }
    /// The certificate authorities.
    public var roots: TrustRoots
    /// The hosts without TLS.
    public var plainHTTP: PlainHTTP
    /// The proxy; nil for direct connections. Nothing is taken from the environment.
    public var proxy: SOCKSProxy?
    /// The time-out of a connection: waiting for a free place, the name's addresses, TCP, the proxy, and TLS.
    public var connectTimeout: Duration
    /// The repetition of requests that allow it.
    public var retries: RetryPolicy
    /// The connections that are kept.
    public var pool: PoolLimits

    /// Creates a configuration.
    ///
    /// - Precondition: `userAgent` is one line of visible ASCII.
    public init(
        userAgent: String, roots: TrustRoots, plainHTTP: PlainHTTP = .never, proxy: SOCKSProxy? = nil,
        connectTimeout: Duration = HTTPLimits.connectTimeout, retries: RetryPolicy = RetryPolicy(),
        pool: PoolLimits = PoolLimits()
    ) {
        Self.check(userAgent)
        self.userAgent = userAgent
        self.roots = roots
        self.plainHTTP = plainHTTP
        self.proxy = proxy
        self.connectTimeout = connectTimeout
        self.retries = retries
        self.pool = pool
    }

    private static func check(_ userAgent: String) {
        precondition(userAgent.utf8.allSatisfy { (0x20...0x7E).contains($0) }, "a header is one line of ASCII")
    }
}
