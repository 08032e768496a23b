internal import Foundation

/// A server that ends TLS before another server of this machine, and records what clients send. It ends with this value.
///
/// See `scripts/peers/tls_relay.py`.
public struct TLSRelay: ~Copyable {
    private let program: Leashed
    /// The port on 127.0.0.1.
    public let port: UInt16

    /// - Parameters:
    ///   - target: the port of the other server.
    ///   - chain: the certificates that it presents, its own first.
    public init(
        to target: UInt16, _ authority: CertificateAuthority, chain: [CertificateAuthority.Issued]
    ) throws {
        let path = try authority.chain(chain)
        let program = try Leashed(Python.system) { folder in
            ["\(Repository.path)/scripts/peers/tls_relay.py", folder, path, chain[0].key, "\(target)"]
        }
        guard let port = UInt16(try program.greeting().dropFirst("ready ".count)) else {
            throw Leashed.NotStarted(description: "no port")
        }
        self.port = port
        self.program = program
    }

    /// Every byte that clients sent, decrypted; what is not UTF-8 is replaced.
    public var application: String {
        get throws {
            let data = try Data(contentsOf: URL(fileURLWithPath: "\(program.folder.path)/application"))
            return String(decoding: data, as: UTF8.self)
        }
    }
}
