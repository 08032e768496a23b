public import PinnedHTTP

/// The rules of the connection to a node: its pinned keys, the certificate authorities, a proxy, and the hosts that may
/// be reached without encryption.
///
/// ```swift
/// let address = try NodeAddress("https://node.example")
/// let connection = NodeConnection(
///     pins: try NodeConnection.pins([key, spare], of: address), roots: .system, proxy: nil, unencryptedHosts: [])
/// let node = try await EthereumNode(
///     at: address, on: .ethereum, over: try connection.client(to: address, userAgent: "app/1", now: now), retries)
/// ```
///
/// A node on this machine is reached directly, also with a proxy, and may be without encryption. So may an onion service
/// through the proxy: Tor encrypts the connection, and the service's name is its key.
public struct NodeConnection: Sendable {
    /// The reasons why there is no connection to a node, before anything is sent.
    public enum Fault: Error, Equatable, Sendable {
        /// The rules allow no connection to this node.
        case notAllowed(ConnectionFault)
        /// The pins are not of the form `sha256/…`.
        case notPins
        /// The text is not a list of hosts.
        case notHosts
        /// The pins cannot be used: there is only one, or one is repeated, or they are too many.
        case pins(HostPins.Fault)
        /// The file of the pin policy cannot be read.
        case policy(PinPolicy.Fault)
        /// Pins and a pin policy are named in one place.
        case keysAndPolicy
    }

    /// The pins; those of other hosts are not used.
    public var pins: PinPolicy
    /// The certificate authorities.
    public var roots: TrustRoots
    /// The proxy for nodes that are not on this machine; nil for direct connections.
    public var proxy: SOCKSProxy?
    /// The hosts that may be reached by `http`.
    ///
    /// - Warning: On the way to these hosts everything can be read and changed: balances, nonces, fees.
    public var unencryptedHosts: Set<String>

    /// Creates rules.
    public init(pins: PinPolicy, roots: TrustRoots, proxy: SOCKSProxy?, unencryptedHosts: Set<String>) {
        self.pins = pins
        self.roots = roots
        self.proxy = proxy
        self.unencryptedHosts = unencryptedHosts
    }

    /// Returns a policy with the pins of one node.
    ///
    /// - Parameter pins: the pins of keys in the node's chain of certificates, and of at least one key that is to
    ///   replace them.
    /// - Throws: ``NodeError/badConnection(_:)`` for fewer than two different pins, or too many.
    public static func pins(_ pins: [Pin], of address: NodeAddress) throws(NodeError) -> PinPolicy {
        do throws(HostPins.Fault) {
            // Other hosts are reached with normal validation.
            return try PinPolicy(host: address.origin.host, pins: pins, unpinned: .allow)
        } catch { throw .badConnection(.pins(error)) }
    }

    /// Reads pins that are separated by spaces or commas: `sha256/…`.
    ///
    /// - Throws: ``NodeError/badConnection(_:)``.
    public static func pins(in text: String) throws(NodeError) -> [Pin] {
        guard let pins = Pin.list(in: text) else { throw .badConnection(.notPins) }
        return pins
    }

    /// Reads hosts that are separated by spaces or commas: names or IP addresses, for ``unencryptedHosts``.
    ///
    /// - Throws: ``NodeError/badConnection(_:)``.
    public static func hosts(in text: String) throws(NodeError) -> Set<String> {
        let texts = text.split { $0 == " " || $0 == "," }
        let hosts = texts.compactMap { Origin(host: String($0))?.host }
        guard !texts.isEmpty, hosts.count == texts.count else { throw .badConnection(.notHosts) }
        return Set(hosts)
    }

    /// Returns a client for a node. It makes one attempt for each request: ``NodeRetryPolicy`` repeats questions.
    ///
    /// - Parameters:
    ///   - userAgent: the name of this program: `app/1.0`.
    ///   - connectTimeout: the time-out of a connection, with the proxy and its TLS handshake.
    ///   - now: returns seconds since 1970, for the dates of certificates.
    /// - Throws: ``NodeError/badConnection(_:)`` if the rules do not allow a connection to this node.
    public func client(
        to address: NodeAddress, userAgent: String, connectTimeout: Duration = NodeLimits.connectTimeout,
        now: @escaping @Sendable () -> UInt64
    ) throws(NodeError) -> PinnedClient {
        let configuration = ClientConfiguration(
            userAgent: userAgent, roots: roots,
            plainHTTP: .hosts(address.isOnion ? [address.origin.host] : unencryptedHosts),
            proxy: proxy, connectTimeout: connectTimeout, retries: .never)
        do throws(ConnectionFault) {
            return try PinnedClient(to: address.origin, configuration, pins: pins, now: now)
        } catch { throw .badConnection(.notAllowed(error)) }
    }
}
