public import ExchangeCredentials
public import PinnedHTTP

/// The rules of the connection to an exchange: its pinned keys, the certificate authorities, and a proxy.
///
/// ```swift
/// let connection = ExchangeConnection(pins: [key, spare], roots: .system, proxy: nil)
/// let transport = try connection.client(to: venue.origin, userAgent: "app/1", now: now)
/// ```
public struct ExchangeConnection: Sendable {
    /// The pins of keys in the server's chain of certificates, and of at least one key that is to replace them; empty for
    /// no pins.
    public var pins: [Pin]
    /// The certificate authorities.
    public var roots: TrustRoots
    /// The proxy; nil for a direct connection. A server on this machine is reached directly.
    public var proxy: SOCKSProxy?

    /// Creates rules.
    public init(pins: [Pin], roots: TrustRoots, proxy: SOCKSProxy?) {
        self.pins = pins
        self.roots = roots
        self.proxy = proxy
    }

    /// Reads pins that are separated by spaces or commas: `sha256/…`.
    ///
    /// - Throws: ``ExchangeError/invalid(_:_:)``.
    public static func pins(in text: String) throws(ExchangeError) -> [Pin] {
        guard let pins = Pin.list(in: text) else { throw .invalid(.pins, .notPins) }
        return pins
    }

    /// Checks that pins can be used together for an exchange.
    ///
    /// - Throws: ``ExchangeError/pins(_:)``.
    public static func check(_ pins: [Pin], of venue: Venue) throws(ExchangeError) {
        _ = try ExchangeConnection(pins: pins, roots: .system, proxy: nil).policy(for: venue.origin)
    }

    /// Returns a client for an exchange's server. It repeats nothing.
    ///
    /// - Parameters:
    ///   - userAgent: the name of this program: `app/1.0`.
    ///   - now: returns seconds since 1970, for the dates of certificates.
    /// - Throws: ``ExchangeError/pins(_:)`` if the pins cannot be used, ``ExchangeError/connection(_:)`` if the rules allow
    ///   no connection to the server: one without encryption has to be on this machine.
    public func client(
        to origin: Origin, userAgent: String, now: @escaping @Sendable () -> UInt64
    ) throws(ExchangeError) -> PinnedClient {
        let configuration = ClientConfiguration(
            userAgent: userAgent, roots: roots, plainHTTP: .loopback, proxy: proxy, retries: .never)
        let policy = try policy(for: origin)
        do throws(ConnectionFault) {
            return try PinnedClient(to: origin, configuration, pins: policy, now: now)
        } catch { throw .connection(error) }
    }

    private func policy(for origin: Origin) throws(ExchangeError) -> PinPolicy {
        guard !pins.isEmpty else { return .none }
        do throws(HostPins.Fault) {
            return try PinPolicy(host: origin.host, pins: pins, unpinned: .refuse)
        } catch { throw .pins(error) }
    }
}

extension Origin {
    /// Reads the address of an exchange's server: `https://host`, with a port or without; `http://` on this machine only.
    ///
    /// - Throws: ``ExchangeError/invalid(_:_:)``; ``ExchangeError/connection(_:)`` without encryption.
    public init(exchangeAt text: String) throws(ExchangeError) {
        guard let origin = Self.read(text) else { throw .invalid(.endpoint, .notAnAddress) }
        guard origin.scheme == .https || origin.isLoopback else { throw .connection(.notEncrypted) }
        self = origin
    }

    private static func read(_ text: String) -> Origin? {
        guard text.utf8.count <= ExchangeLimits.endpointCharacters, let end = text.firstRange(of: "://"),
            let scheme = Scheme(rawValue: text[..<end.lowerBound].lowercased())
        else { return nil }
        let rest = text[end.upperBound...]
        return Origin(scheme, authority: rest.last == "/" ? rest.dropLast() : rest)
    }
}
