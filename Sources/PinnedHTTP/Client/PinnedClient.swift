public import Secrets

/// HTTP/1.1 over TLS 1.3 with pinned public keys.
///
/// The certificate chain, the name, the dates and the pins are checked on the connection that carries the request, within
/// its TLS handshake. Before that no byte of the request leaves. It follows no redirects, takes no proxy from the
/// environment, keeps no cookies, and asks for no compression, whose answers could be small on the network and large in
/// memory.
///
/// ```swift
/// let client = PinnedClient(
///     ClientConfiguration(userAgent: "app/1.0", roots: .system),
///     pins: LivePins(policy, updatedBy: [key], time: PinTime(latest: stored)), now: now)
/// let answer = try await client.send(request)
/// ```
///
/// A request with ``HTTPRequest/Repetition/never`` is sent once, on a new connection. Others may go over an idle
/// connection, and are repeated by the ``RetryPolicy``.
///
/// Connections use the sockets of the system (NIOPosix) on every platform, not Apple's Network framework.
public final class PinnedClient: HTTPTransport {
    let connector: Connector
    private let pool: ConnectionPool
    package let clock: any Clock<Duration>
    package let random: any RandomSource
    package let now: @Sendable () -> UInt64

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - pins: the pin policy in use; `LivePins(.none, …)` for none.
    ///   - now: returns seconds since 1970, for the dates of certificates and pins.
    ///   - clock: measures time-outs and pauses.
    ///   - random: decides about pauses.
    public init(
        _ configuration: ClientConfiguration, pins: LivePins, now: @escaping @Sendable () -> UInt64,
        clock: any Clock<Duration> = ContinuousClock(), random: any RandomSource = SystemRandom()
    ) {
        connector = Connector(configuration, pins: pins, now: now)
        pool = ConnectionPool(configuration.pool, clock: clock)
        self.clock = clock
        self.random = random
        self.now = now
    }

    /// Creates a client of one server. A server on this machine is reached directly, also with a proxy.
    ///
    /// - Parameters:
    ///   - origin: the server.
    ///   - configuration: the settings.
    ///   - pins: the pins, which do not change.
    ///   - now: returns seconds since 1970, for the dates of certificates.
    /// - Throws: ``ConnectionFault`` if no request to the server would be sent.
    public convenience init(
        to origin: Origin, _ configuration: ClientConfiguration, pins: PinPolicy,
        now: @escaping @Sendable () -> UInt64
    ) throws(ConnectionFault) {
        var configuration = configuration
        if origin.isLoopback { configuration.proxy = nil }
        try configuration.check(origin, pins)
        self.init(configuration, pins: LivePins(pins, updatedBy: [], time: PinTime(latest: 0)), now: now)
    }

    deinit { pool.closeIdle() }

    public func send(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse {
        let policy = connector.configuration.retries
        let attempts = request.repetition == .allowed ? policy.attempts : 1
        var failures = 0
        var hasLeft = false
        while true {
            // An idle connection may be closing, so after a failure the next attempt makes a new one.
            let attempt = await attempt(request, mayReuse: request.repetition == .allowed && failures == 0)
            failures += 1
            hasLeft = hasLeft || attempt.hasLeft
            let isLast = failures >= attempts
            let pause: Duration
            switch attempt.outcome {
            case .success(let response):
                guard !isLast, let asked = policy.delay(asked: response, now: now()) else { return response }
                pause = asked + policy.pause(after: failures, random: random)
            case .failure(let failure):
                guard !isLast, RetryPolicy.mayPass(failure.reason) else {
                    throw HTTPFailure(failure.reason, mayHaveArrived: hasLeft)
                }
                // The server closed an idle connection, as it may at any time.
                let isStale = attempt.wasReused && failure.reason == .closed
                pause = isStale ? .zero : policy.pause(after: failures, random: random)
            }
            do { try await clock.sleep(for: pause) } catch {
                throw HTTPFailure(.cancelled, mayHaveArrived: hasLeft)
            }
        }
    }

    // MARK: - One attempt

    private struct Attempt: Sendable {
        let outcome: Result<HTTPResponse, HTTPFailure>
        let wasReused: Bool
        let hasLeft: Bool
    }

    private func attempt(_ request: HTTPRequest, mayReuse: Bool) async -> Attempt {
        let departure = HTTPExchange.Departure()
        let connected = await TimeLimit.run(connector.configuration.connectTimeout, clock) { [self] in
            await place(for: request.origin, mayReuse: mayReuse)
        }
        let connection: Connection
        switch connected.value {
        case .success(let made): connection = made
        case .failure(let failure):
            // A fault that was found just before the end of the time is the fault.
            let reason = connected.isOver && failure.reason == .cancelled ? .timedOut(.connecting) : failure.reason
            let outcome = HTTPFailure(reason, mayHaveArrived: false)
            return Attempt(outcome: .failure(outcome), wasReused: false, hasLeft: false)
        }
        let wire = connection.wire
        let exchange = HTTPExchange(
            request: request, bytes: request.encoded(userAgent: connector.configuration.userAgent))
        let exchanged = await TimeLimit.run(request.timeout, clock) { await exchange.run(on: wire, departure) }
        let outcome: Result<HTTPResponse, HTTPFailure>
        switch exchanged.value {
        case .answered(let response, let isReusable):
            learnTime(from: response, on: wire)
            if isReusable { pool.keep(wire) } else { wire.close() }
            outcome = .success(response)
        case .failed(let fault):
            wire.close()
            let reason = exchanged.isOver && fault == .cancelled ? .timedOut(.answering) : fault
            outcome = .failure(HTTPFailure(reason, mayHaveArrived: departure.hasHappened))
        }
        pool.givePlaceBack(of: request.origin)
        return Attempt(outcome: outcome, wasReused: connection.isReused, hasLeft: departure.hasHappened)
    }

    private struct Connection: Sendable {
        let wire: Wire
        let isReused: Bool
    }

    /// Waits for a place and a connection.
    private func place(for origin: Origin, mayReuse: Bool) async -> Result<Connection, HTTPFailure> {
        guard await pool.takePlace(for: origin) else {
            return .failure(HTTPFailure(.cancelled, mayHaveArrived: false))
        }
        do throws(HTTPFailure) {
            if mayReuse, let wire = try idleWire(to: origin) { return .success(Connection(wire: wire, isReused: true)) }
            return .success(Connection(wire: try await connector.connect(to: origin), isReused: false))
        } catch {
            pool.givePlaceBack(of: origin)
            return .failure(error)
        }
    }

    /// Takes an idle connection that a new one would be like: pins may have expired since it was made, or be in force
    /// again.
    private func idleWire(to origin: Origin) throws(HTTPFailure) -> Wire? {
        let policy = connector.pins.current
        let decision = try connector.permission(for: origin, by: policy, .policy)
        guard let wire = pool.idleWire(to: origin, serial: policy.serial) else { return nil }
        guard decision.allows(wire.chain) else {
            wire.close()
            return nil
        }
        return wire
    }

    /// A server with a pinned key tells the time: see ``PinTime``.
    private func learnTime(from response: HTTPResponse, on wire: Wire) {
        guard wire.chain?.isPinned == true, let date = response.header("Date").flatMap(HTTPDate.seconds) else { return }
        connector.pins.time.observe(server: date, clock: now())
    }

    // MARK: - Other protocols over the same connections

    /// The client's settings.
    package var configuration: ClientConfiguration { connector.configuration }

    /// Returns whether the pin policy, as it is now, still allows a connection.
    package func allows(_ wire: Wire) -> Bool { connector.allows(wire) }

    /// Connects to an origin, with the same checks as a request.
    package func connect(to origin: Origin) async throws(HTTPFailure) -> Wire {
        try await connect(to: origin, using: .policy)
    }

    /// Connects to an origin, as requests do or as ``PinProbe`` does.
    func connect(to origin: Origin, using use: Connector.PinUse) async throws(HTTPFailure) -> Wire {
        let connector = connector
        let outcome = await TimeLimit.run(connector.configuration.connectTimeout, clock) {
            () async -> Result<Wire, HTTPFailure> in
            do throws(HTTPFailure) { return .success(try await connector.connect(to: origin, using: use)) } catch {
                return .failure(error)
            }
        }
        if outcome.isOver, case .failure(let failure) = outcome.value, failure.reason == .cancelled {
            throw HTTPFailure(.timedOut(.connecting), mayHaveArrived: false)
        }
        return try outcome.value.get()
    }
}
