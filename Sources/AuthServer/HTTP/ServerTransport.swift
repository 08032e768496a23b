internal import Hummingbird
internal import HummingbirdCore
internal import HummingbirdTLS
internal import NIOCore
internal import NIOSSL

/// How the server takes connections.
enum ServerTransport {
    /// - Throws: ``StartupError/certificateFile(_:)``, ``StartupError/otherCertificateKey``.
    static func builder(
        _ transport: ServerConfiguration.Transport, requestMilliseconds: Int64 = Limits.requestMilliseconds
    ) throws(StartupError) -> HTTPServerBuilder {
        let http = HTTPServerBuilder.http1(
            configuration: HTTP1Channel.Configuration(
                additionalChannelHandlers: [RequestGuards(requestMilliseconds: requestMilliseconds)],
                idleTimeout: .seconds(Limits.idleConnectionSeconds),
                httpDecoderConfiguration: HTTP1Channel.Configuration.DecoderConfiguration(
                    maxHeaderFieldSize: Limits.headerBytes, maxHeaderListSize: Limits.headerBytes,
                    maxHeaderFieldCount: Limits.headerFields)))
        guard case .tls(let certificatePath, let keyPath) = transport else { return http }
        let chain: [NIOSSLCertificate]
        let key: NIOSSLPrivateKey
        do { chain = try NIOSSLCertificate.fromPEMFile(certificatePath) } catch {
            throw .certificateFile(certificatePath)
        }
        do { key = try NIOSSLPrivateKey(file: keyPath, format: .pem) } catch { throw .certificateFile(keyPath) }
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
        configuration.minimumTLSVersion = .tlsv13
        configuration.applicationProtocols = ["http/1.1"]
        do {
            // The server would find out when it begins to listen, and whoever only checks never.
            _ = try NIOSSLContext(configuration: configuration)
            return try .tls(http, tlsConfiguration: configuration)
        } catch {
            throw .otherCertificateKey
        }
    }
}
