internal import Foundation

/// Certificates that OpenSSL's command makes, in a folder that is removed with this value.
public final class CertificateAuthority: Sendable {
    /// A certificate with its key.
    public struct Issued: Sendable {
        /// The certificate in PEM.
        public let pem: String
        fileprivate let certificate: String
        let key: String
        /// The certificate as DER.
        public var der: [UInt8] {
            get throws {
                let lines = pem.split(separator: "\n").filter { !$0.hasPrefix("-----") }
                guard let bytes = Data(base64Encoded: lines.joined()) else { throw NotMade() }
                return Array(bytes)
            }
        }

        private struct NotMade: Error {}

        /// The pin, as OpenSSL computes it: `sha256/…`.
        public let pin: String
    }

    private let folder: TemporaryFolder

    public init() throws { folder = try TemporaryFolder() }

    /// Makes a self-signed authority.
    public func root(_ name: String) throws -> Issued {
        try selfSigned(
            name, ["basicConstraints=critical,CA:TRUE", "keyUsage=critical,keyCertSign,cRLSign"])
    }

    /// Makes a self-signed authority with an RSA key.
    public func rsaRoot(_ name: String) throws -> Issued {
        try selfSigned(
            name, ["basicConstraints=critical,CA:TRUE", "keyUsage=critical,keyCertSign,cRLSign"],
            newKey: ["-newkey", "rsa:2048"])
    }

    /// Makes a self-signed server's certificate.
    public func selfSigned(server names: [String]) throws -> Issued {
        try selfSigned("self-signed", ["subjectAltName=\(names.joined(separator: ","))"])
    }

    private func selfSigned(
        _ name: String, _ extensions: [String], newKey: [String] = newKey
    ) throws -> Issued {
        let (key, certificate) = paths()
        try openssl(
            ["req", "-x509", "-nodes", "-days", "30", "-subj", "/CN=\(name)"] + newKey
                + ["-keyout", key, "-out", certificate] + extensions.flatMap { ["-addext", $0] })
        return try issued(certificate, key)
    }

    /// Makes an authority below another one.
    ///
    /// - Parameter own: an authority whose name and key the new certificate has, for cross-signing.
    public func intermediate(
        _ name: String, by issuer: Issued, for own: Issued? = nil,
        extensions: [String] = ["basicConstraints=critical,CA:TRUE", "keyUsage=critical,keyCertSign"]
    ) throws -> Issued {
        try sign(name, extensions, by: issuer, key: own?.key)
    }

    /// Makes a server's certificate.
    ///
    /// - Parameters:
    ///   - names: `DNS:localhost`, `IP:127.0.0.1`.
    ///   - own: a certificate whose key the new one has.
    ///   - digest: the hash of the signature.
    public func server(
        _ names: [String], by issuer: Issued, keyOf own: Issued? = nil,
        extensions: [String] = ["extendedKeyUsage=serverAuth"], digest: String = "sha256", newKey: [String]? = nil
    ) throws -> Issued {
        let names = names.isEmpty ? [] : ["subjectAltName=\(names.joined(separator: ","))"]
        return try sign(
            "server", ["basicConstraints=CA:FALSE"] + names + extensions, by: issuer, key: own?.key, digest: digest,
            newKey: newKey)
    }

    private func sign(
        _ name: String, _ extensions: [String], by issuer: Issued, key own: String?, digest: String = "sha256",
        newKey: [String]? = nil
    ) throws -> Issued {
        let (newPath, certificate) = paths()
        let key = own ?? newPath
        let request = certificate + ".csr"
        let keyArguments = own.map { ["-key", $0] } ?? (newKey ?? Self.newKey) + ["-keyout", key]
        try openssl(["req", "-new", "-nodes", "-subj", "/CN=\(name)", "-out", request] + keyArguments)
        try extensions.joined(separator: "\n").write(toFile: request + ".ext", atomically: false, encoding: .utf8)
        // Not a file of serial numbers: tests sign at the same time.
        let serial = "0x1\(UUID().uuidString.filter(\.isHexDigit).prefix(30))"
        try openssl([
            "x509", "-req", "-in", request, "-CA", issuer.certificate, "-CAkey", issuer.key, "-set_serial", serial,
            "-days",
            "20", "-\(digest)", "-extfile", request + ".ext", "-out", certificate,
        ])
        return try issued(certificate, key)
    }

    /// Writes a server's chain to a file.
    func chain(_ certificates: [Issued]) throws -> String {
        let path = "\(folder.path)/\(UUID().uuidString).pem"
        try certificates.map(\.pem).joined().write(toFile: path, atomically: false, encoding: .utf8)
        return path
    }

    private static let newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"]

    private func paths() -> (key: String, certificate: String) {
        let name = "\(folder.path)/\(UUID().uuidString)"
        return (name + ".key", name + ".crt")
    }

    private func issued(_ certificate: String, _ key: String) throws -> Issued {
        let pin = try Program.output(
            "/bin/sh",
            [
                "-c",
                """
                openssl x509 -in '\(certificate)' -noout -pubkey | openssl pkey -pubin -outform der \
                | openssl dgst -sha256 -binary | openssl base64
                """,
            ])
        return Issued(
            pem: try String(contentsOfFile: certificate, encoding: .utf8), certificate: certificate, key: key,
            pin: "sha256/" + pin.trimmingCharacters(in: .whitespacesAndNewlines))
    }

    private func openssl(_ arguments: [String]) throws {
        _ = try Program.output("/usr/bin/openssl", arguments)
    }
}
