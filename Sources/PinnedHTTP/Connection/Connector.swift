internal import NIOCore
internal import NIOPosix
internal import NIOSSL
internal import NIOTLS
internal import Synchronization

/// Makes connections: the name's addresses or the proxy, TCP, TLS, the certificate, the pin.
struct Connector: Sendable {
    /// Whether pins are asked for.
    enum PinUse: Sendable {
        /// The policy decides.
        case policy
        /// Pins are not checked: for ``PinProbe``, which sends nothing.
        case probe(allowsTLS12: Bool)
    }

    let configuration: ClientConfiguration
    let pins: LivePins
    /// Seconds since 1970.
    let now: @Sendable () -> UInt64
    private let verifier: ChainVerifier
    private let group: any EventLoopGroup
    private let tls13: NIOSSLContext?
    private let tls12: NIOSSLContext?

    init(_ configuration: ClientConfiguration, pins: LivePins, now: @escaping @Sendable () -> UInt64) {
        self.configuration = configuration
        self.pins = pins
        self.now = now
        verifier = ChainVerifier(roots: configuration.roots)
        // Not NIOTransportServices, also on Apple's systems: its TLS is not BoringSSL, and has no place for this check.
        group = MultiThreadedEventLoopGroup.singleton
        tls13 = Self.context(.tlsv13)
        tls12 = Self.context(.tlsv12)
    }

    private static func context(_ version: TLSVersion) -> NIOSSLContext? {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.minimumTLSVersion = version
        tls.verifySignatureAlgorithms = Self.signatures
        tls.applicationProtocols = ["http/1.1"]
        // The handler's callback takes the place of BoringSSL's verification, and has its own roots and its own check of
        // the name: BoringSSL's would take the proxy's address. `.none` would leave out the callback.
        tls.certificateVerification = .noHostnameVerification
        tls.trustRoots = .certificates([])
        return try? NIOSSLContext(configuration: tls)
    }

    /// The signatures of handshakes that are accepted: those that BoringSSL accepts by default, without SHA-1, and with
    /// keys on P-521, which authorities issue certificates for.
    private static let signatures: [SignatureAlgorithm] = [
        .ecdsaSecp256R1Sha256, .rsaPssRsaeSha256, .rsaPkcs1Sha256, .ecdsaSecp384R1Sha384, .rsaPssRsaeSha384,
        .rsaPkcs1Sha384, .ecdsaSecp521R1Sha512, .rsaPssRsaeSha512, .rsaPkcs1Sha512,
    ]

    /// Connects to an origin.
    ///
    /// The caller limits the time. In each error no byte of a request has left.
    func connect(to origin: Origin, using use: PinUse = .policy) async throws(HTTPFailure) -> Wire {
        let policy = pins.current
        let decision = try permission(for: origin, by: policy, use)
        let inbox = Inbox()
        let channel = try await reach(origin, inbox)
        do throws(HTTPFailure) {
            if let proxy = configuration.proxy { try await enter(proxy, to: origin, channel, inbox) }
            guard origin.scheme == .https else {
                return Wire(channel, inbox, to: origin, chain: nil, serial: policy.serial)
            }
            let chain = try await secure(channel, inbox, origin, policy.entry(for: origin.host), decision, use)
            return Wire(channel, inbox, to: origin, chain: chain, serial: policy.serial)
        } catch {
            channel.close(promise: nil)
            throw error
        }
    }

    /// Checks all that can be checked without the network.
    func permission(
        for origin: Origin, by policy: PinPolicy, _ use: PinUse
    ) throws(HTTPFailure) -> PinDecision {
        do throws(ConnectionFault) { try configuration.check(origin, policy) } catch {
            throw HTTPFailure(HTTPFailure.Reason(error), mayHaveArrived: false)
        }
        guard origin.scheme == .https else { return .unpinned }
        let decision = PinDecision(
            for: origin.host, by: policy, clock: now(), authenticated: pins.time.latest)
        if case .refused(let fault) = decision, case .policy = use {
            throw HTTPFailure(.notPinned(fault), mayHaveArrived: false)
        }
        return decision
    }

    /// Whether the policy in use is the one that a connection was made by, and still allows it.
    func allows(_ wire: Wire) -> Bool {
        let policy = pins.current
        guard wire.serial == policy.serial, let decision = try? permission(for: wire.origin, by: policy, .policy) else {
            return false
        }
        return decision.allows(wire.chain)
    }

    // MARK: - TCP

    private func reach(_ origin: Origin, _ inbox: Inbox) async throws(HTTPFailure) -> any Channel {
        // With a proxy the name of the origin is never looked up here.
        let (host, port) = configuration.proxy.map { ($0.host, $0.port) } ?? (origin.host, origin.port)
        let bootstrap = ClientBootstrap(group: group)
            .connectTimeout(TimeAmount(configuration.connectTimeout))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(inbox) }
            }
        let outcome = await Abandonable.value(of: bootstrap.connect(host: host, port: Int(port))) { late in
            late.close(promise: nil)
        }
        switch outcome {
        case .success(let channel): return channel
        case .failure(ChannelError.connectTimeout): throw HTTPFailure(.timedOut(.connecting), mayHaveArrived: false)
        case .failure(is CancellationError): throw HTTPFailure(.cancelled, mayHaveArrived: false)
        case .failure: throw HTTPFailure(.notConnected, mayHaveArrived: false)
        }
    }

    private func enter(
        _ proxy: SOCKSProxy, to origin: Origin, _ channel: any Channel, _ inbox: Inbox
    ) async throws(HTTPFailure) {
        let pipe = SOCKSPipe(channel: channel, inbox: inbox)
        try await pipe.connect(to: origin, through: proxy)
    }

    // MARK: - TLS

    func secure(
        _ channel: any Channel, _ inbox: Inbox, _ origin: Origin, _ entry: HostPins?, _ decision: PinDecision,
        _ use: PinUse
    ) async throws(HTTPFailure) -> VerifiedChain {
        let isTLS12Allowed =
            switch use {
            case .policy: entry?.allowsTLS12 == true
            case .probe(let isAllowed): isAllowed
            }
        guard let context = isTLS12Allowed ? tls12 : tls13 else {
            throw HTTPFailure(.untrusted(.handshake), mayHaveArrived: false)
        }
        let judge = ChainJudge(verifier: verifier, pins: pins, origin: origin, decision: decision, use: use, now: now)
        let host = origin.host
        let added = channel.eventLoop.submit {
            let handler = try NIOSSLClientHandler(
                context: context, serverHostname: IPAddress(host) == nil ? host : nil,
                customVerificationCallbackWithMetadata: { presented, promise in
                    // The handshake waits for this: the client sends neither the end of its handshake nor data before.
                    Task {
                        await judge.decide(presented)
                            ? promise.succeed(.certificateVerified(VerificationMetadata(nil)))
                            : promise.succeed(.failed)
                    }
                })
            // Nothing is received between this look and TLS: both are one step of the event loop. Bytes that came before
            // are nobody's, and would be read as the answer to the request.
            guard !inbox.hasBytes else { return false }
            try channel.pipeline.syncOperations.addHandler(handler, position: .first)
            return true
        }
        guard let isFirst = try? await added.get() else { throw HTTPFailure(.closed, mayHaveArrived: false) }
        guard isFirst else { throw HTTPFailure(.untrusted(.handshake), mayHaveArrived: false) }
        let end = await inbox.secured(on: channel)
        if Task.isCancelled { throw HTTPFailure(.cancelled, mayHaveArrived: false) }
        switch (judge.verdict, end) {
        case (.failure(let refused), _): throw HTTPFailure(refused.reason, mayHaveArrived: false)
        case (.success(let chain), .secured(let negotiated)):
            guard negotiated == nil || negotiated == "http/1.1" else {
                throw HTTPFailure(.notHTTP, mayHaveArrived: false)
            }
            return chain
        // Without a verdict no certificate was verified, whatever the handshake says.
        case (nil, .secured): throw HTTPFailure(.untrusted(.handshake), mayHaveArrived: false)
        case (_, .failed(let error)): throw HTTPFailure(Self.reason(of: error), mayHaveArrived: false)
        }
    }

    private static let faults: [(name: String, fault: TrustFault)] = [
        ("PROTOCOL_VERSION", .version), ("UNSUPPORTED_PROTOCOL", .version), ("WRONG_SSL_VERSION", .version),
        // The first bytes are not those of a record of TLS.
        ("WRONG_VERSION_NUMBER", .notTLS),
        // The server's alert: it has no algorithm in common with the client.
        ("HANDSHAKE_FAILURE", .noCommonAlgorithm),
    ]

    /// Returns our reason for an error of a handshake. Its text is dropped.
    private static func reason(of error: (any Error)?) -> HTTPFailure.Reason {
        guard let error, !(error is IOError), !(error is ChannelError) else { return .closed }
        guard let error = error as? NIOSSLError else { return .untrusted(.handshake) }
        switch error {
        case .uncleanShutdown: return .closed
        case .handshakeFailed(.sslError(let stack)):
            // BoringSSL's reasons have names only in its texts.
            let text = stack.map { $0.description }.joined(separator: " ")
            if text.contains("EOF during handshake") { return .closed }
            return .untrusted(faults.first { text.contains($0.name) }?.fault ?? .handshake)
        default: return .untrusted(.handshake)
        }
    }
}

/// Decides about the certificates of one connection.
final class ChainJudge: Sendable {
    /// The reason why a chain is refused.
    struct Refused: Error {
        let reason: HTTPFailure.Reason
    }

    private let verifier: ChainVerifier
    private let pins: LivePins
    private let origin: Origin
    private let decision: PinDecision
    private let use: Connector.PinUse
    private let now: @Sendable () -> UInt64
    private let outcome = Mutex<Result<VerifiedChain, Refused>?>(nil)

    init(
        verifier: ChainVerifier, pins: LivePins, origin: Origin, decision: PinDecision, use: Connector.PinUse,
        now: @escaping @Sendable () -> UInt64
    ) {
        self.verifier = verifier
        self.pins = pins
        self.origin = origin
        self.decision = decision
        self.use = use
        self.now = now
    }

    /// The decision; nil before it.
    var verdict: Result<VerifiedChain, Refused>? { outcome.withLock { $0 } }

    /// Decides, and returns whether the connection may be used.
    func decide(_ presented: [NIOSSLCertificate]) async -> Bool {
        let result = await judge(presented)
        outcome.withLock { $0 = result }
        if case .success = result { return true } else { return false }
    }

    private func judge(_ presented: [NIOSSLCertificate]) async -> Result<VerifiedChain, Refused> {
        let time = now()
        // All or none: without the first one the second would take its place.
        let certificates = presented.compactMap { try? $0.toDERBytes() }
        guard certificates.count == presented.count else { return refuse(.unknownAuthority) }
        let chain: VerifiedChain
        do throws(TrustFault) {
            chain = try await verifier.verify(
                certificates, for: origin.host, at: time, wanted: wanted)
        } catch { return refuse(error) }
        if case .probe = use { return .success(chain) }
        switch decision {
        case .unpinned: return .success(chain)
        case .lapsed(let entry):
            if !chain.isPinned { pins.report(.lapsed, origin.host, entry, served: chain.pins, at: time) }
            return .success(chain)
        case .pinned(let entry):
            if chain.isPinned { return .success(chain) }
            if entry.mode == .reportOnly {
                pins.report(.reported, origin.host, entry, served: chain.pins, at: time)
                return .success(chain)
            }
            pins.report(.refused, origin.host, entry, served: chain.pins, at: time)
            return .failure(Refused(reason: .notPinned(.unknownKeys(served: chain.pins))))
        case .refused(let fault): return .failure(Refused(reason: .notPinned(fault)))
        }
    }

    /// The pins that the search for a chain looks for.
    private var wanted: Set<Pin> {
        switch decision {
        case .pinned(let entry), .lapsed(let entry): entry.all
        case .unpinned, .refused: []
        }
    }

    private func refuse(_ fault: TrustFault) -> Result<VerifiedChain, Refused> {
        .failure(Refused(reason: .untrusted(fault)))
    }
}
