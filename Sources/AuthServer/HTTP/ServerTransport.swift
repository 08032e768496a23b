internal import HummingbirdCore
internal import NIOCore
internal import NIOSSL

/// The transport of the server: how it accepts connections.
struct ServerTransport: Sendable {
    let table: ConnectionTable
    let limits: ConnectionLimits
    let rules: HeadRules
    /// The certificate for new connections; nil without TLS.
    let certificate: Reloadable<NIOSSLContext>?

    /// Reads the transport's files.
    ///
    /// - Throws: ``StartupError/certificateFile(_:)``, ``StartupError/otherCertificateKey``.
    init(_ configuration: ServerConfiguration, _ limits: ConnectionLimits) throws(StartupError) {
        self.limits = limits
        rules = HeadRules(configuration)
        var proxies: Set<String> = []
        if case .behindProxy(let addresses) = configuration.transport { proxies = Set(addresses) }
        table = ConnectionTable(
            limits, isProxy: { [proxies] in proxies.contains($0.exact) },
            hasReserve: { [proxies] in configuration.mayShowMetrics(to: $0) && !proxies.contains($0.exact) })
        guard case .tls(let certificate, let key) = configuration.transport else {
            self.certificate = nil
            return
        }
        self.certificate = Reloadable(try Self.context(certificate: certificate, key: key))
    }

    init(
        _ table: ConnectionTable, _ limits: ConnectionLimits, _ rules: HeadRules,
        certificate: Reloadable<NIOSSLContext>?
    ) {
        self.table = table
        self.limits = limits
        self.rules = rules
        self.certificate = certificate
    }

    var builder: HTTPServerBuilder {
        HTTPServerBuilder { responder in
            let http = HTTP1Channel(
                responder: responder,
                configuration: HTTP1Channel.Configuration(
                    idleTimeout: .milliseconds(limits.idleMilliseconds),
                    httpDecoderConfiguration: HTTP1Channel.Configuration.DecoderConfiguration(
                        maxHeaderFieldSize: Limits.headerBytes, maxHeaderListSize: Limits.headerBytes,
                        maxHeaderFieldCount: Limits.headerFields)))
            return GuardedChannel(base: http, table: table, limits: limits, rules: rules, certificate: certificate)
        }
    }

    /// Returns when the certificate of the transport expires, in seconds since 1970. Nil without TLS, or if the file
    /// cannot be read.
    static func certificateExpiry(_ transport: ServerConfiguration.Transport) -> Double? {
        guard case .tls(let path, _) = transport, let own = try? NIOSSLCertificate.fromPEMFile(path).first else {
            return nil
        }
        return Double(own.notValidAfter)
    }

    /// Reads a certificate and its key.
    static func context(certificate: String, key: String) throws(StartupError) -> NIOSSLContext {
        let chain: [NIOSSLCertificate]
        let privateKey: NIOSSLPrivateKey
        do { chain = try NIOSSLCertificate.fromPEMFile(certificate) } catch { throw .certificateFile(certificate) }
        do { privateKey = try NIOSSLPrivateKey(file: key, format: .pem) } catch { throw .certificateFile(key) }
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(privateKey))
        configuration.minimumTLSVersion = .tlsv13
        configuration.applicationProtocols = ["http/1.1"]
        do { return try NIOSSLContext(configuration: configuration) } catch { throw .otherCertificateKey }
    }
}
