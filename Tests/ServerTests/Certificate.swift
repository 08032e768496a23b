internal import NIOSSL
internal import ServerHTTP
internal import TestSupport

@testable internal import AuthServer

/// A self-signed certificate, in two PEM files.
struct Certificate {
    let certificate: String
    let key: String

    /// - Parameter name: its common name; it is valid for localhost.
    init(in folder: String, name: String) throws {
        (certificate, key) = ("\(folder)/certificate.pem", "\(folder)/key.pem")
        _ = try Program.output(
            "/usr/bin/openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                "-subj", "/CN=\(name)", "-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", certificate,
            ])
    }

    var reloadable: Reloadable<NIOSSLContext> {
        get throws { Reloadable(try ServerTransport.context(certificate: certificate, key: key)) }
    }
}
