internal import Hummingbird
internal import HummingbirdCore
internal import HummingbirdTLS
internal import NIOCore
internal import NIOSSL

/// How the server takes connections.
enum ServerTransport {
    /// - Throws: ``StartupError/certificate``.
    static func builder(_ transport: ServerConfiguration.Transport) throws(StartupError) -> HTTPServerBuilder {
        let http = HTTPServerBuilder.http1(
            configuration: HTTP1Channel.Configuration(
                idleTimeout: .seconds(Limits.idleConnectionSeconds),
                httpDecoderConfiguration: HTTP1Channel.Configuration.DecoderConfiguration(
                    maxHeaderFieldSize: Limits.headerBytes, maxHeaderListSize: Limits.headerBytes,
                    maxHeaderFieldCount: Limits.headerFields)))
        guard case .tls(let certificatePath, let keyPath) = transport else { return http }
        do {
            let chain = try NIOSSLCertificate.fromPEMFile(certificatePath).map {
                NIOSSLCertificateSource.certificate($0)
            }
            var configuration = TLSConfiguration.makeServerConfiguration(
                certificateChain: chain, privateKey: .privateKey(try NIOSSLPrivateKey(file: keyPath, format: .pem)))
            configuration.minimumTLSVersion = .tlsv13
            configuration.applicationProtocols = ["http/1.1"]
            return try .tls(http, tlsConfiguration: configuration)
        } catch {
            throw .certificate
        }
    }
}
