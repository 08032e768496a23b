package import HummingbirdCore
internal import NIOCore
package import NIOSSL

/// The transport of the server: how it accepts connections.
package struct ServerTransport: Sendable {
    package let table: ConnectionTable
    package let limits: ConnectionLimits
    package let rules: HeadRules
    /// The certificate for new connections; nil without TLS.
    package let certificate: Reloadable<NIOSSLContext>?

    /// Reads the transport's files.
    ///
    /// - Parameter names: the names of this server, in lower case.
    /// - Throws: ``CertificateFault/unreadable(path:)``, ``CertificateFault/otherKey``.
    package init(
        _ transport: Ingress, names: Set<String>, access: OperatorAccess, _ limits: ConnectionLimits
    ) throws(CertificateFault) {
        self.limits = limits
        rules = HeadRules(transport, names: names)
        var proxies: Set<String> = []
        if case .behindProxy(let addresses) = transport { proxies = Set(addresses) }
        table = ConnectionTable(
            limits, isProxy: { [proxies] in proxies.contains($0.exact) },
            hasReserve: { [proxies] in access.mayShowMetrics(to: $0) && !proxies.contains($0.exact) })
        guard case .tls(let certificate, let key) = transport else {
            self.certificate = nil
            return
        }
        self.certificate = Reloadable(try Self.context(certificate: certificate, key: key))
    }

    package init(
        _ table: ConnectionTable, _ limits: ConnectionLimits, _ rules: HeadRules,
        certificate: Reloadable<NIOSSLContext>?
    ) {
        self.table = table
        self.limits = limits
        self.rules = rules
        self.certificate = certificate
    }

    package var builder: HTTPServerBuilder {
        HTTPServerBuilder { responder in
            let http = HTTP1Channel(
                responder: responder,
                configuration: HTTP1Channel.Configuration(
                    idleTimeout: .milliseconds(limits.idleMilliseconds),
                    httpDecoderConfiguration: HTTP1Channel.Configuration.DecoderConfiguration(
                        maxHeaderFieldSize: ServerHTTPLimits.headerBytes,
                        maxHeaderListSize: ServerHTTPLimits.headerBytes,
                        maxHeaderFieldCount: ServerHTTPLimits.headerFields)))
            return GuardedChannel(base: http, table: table, limits: limits, rules: rules, certificate: certificate)
        }
    }

    /// Returns when the certificate of the transport expires, in seconds since 1970. Nil without TLS, or if the file
    /// cannot be read.
    package static func certificateExpiry(_ transport: Ingress) -> Double? {
        guard case .tls(let path, _) = transport, let own = try? NIOSSLCertificate.fromPEMFile(path).first else {
            return nil
        }
        return Double(own.notValidAfter)
    }

    /// Reads a certificate and its key.
    ///
    /// - Throws: ``CertificateFault/unreadable(path:)``, ``CertificateFault/otherKey``.
    package static func context(certificate: String, key: String) throws(CertificateFault) -> NIOSSLContext {
        let chain: [NIOSSLCertificate]
        let privateKey: NIOSSLPrivateKey
        do { chain = try NIOSSLCertificate.fromPEMFile(certificate) } catch { throw .unreadable(path: certificate) }
        do { privateKey = try NIOSSLPrivateKey(file: key, format: .pem) } catch { throw .unreadable(path: key) }
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(privateKey))
        configuration.minimumTLSVersion = .tlsv13
        configuration.applicationProtocols = ["http/1.1"]
        do { return try NIOSSLContext(configuration: configuration) } catch { throw .otherKey }
    }
}
