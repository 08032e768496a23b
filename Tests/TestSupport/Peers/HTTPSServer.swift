/// A server of Python's standard library with TLS and a self-signed certificate. It ends with this value.
///
/// See `scripts/peers/https_server.py`.
public struct HTTPSServer: ~Copyable {
    private let program: Leashed
    /// The port on 127.0.0.1.
    public let port: UInt16
    /// The self-signed certificate for the given name, in PEM.
    public let certificate: String

    /// - Parameter name: the host's name in the certificate.
    public init(name: String) throws {
        let program = try Leashed(Python.system) { folder in
            ["\(Repository.path)/scripts/peers/https_server.py", folder, name]
        }
        let certificate = try program.folder.read("certificate.pem")
        guard let port = UInt16(try program.greeting().dropFirst("ready ".count)) else {
            throw Leashed.NotStarted(description: "no port")
        }
        self.port = port
        self.certificate = certificate
        self.program = program
    }
}
