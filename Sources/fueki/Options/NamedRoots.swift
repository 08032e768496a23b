internal import ArgumentParser
internal import PinnedHTTP
internal import Terminal
internal import Texts

extension TrustRoots {
    /// Reads the certificate authorities of a file that the user named; without one, the system's.
    static func named(_ path: String?) throws(Failure) -> TrustRoots {
        guard let path else { return .system }
        guard let roots = TrustRoots(pem: try InputFile.read(path)) else {
            throw Failure(code: .malformed, name: "no_certificates", message: "\(path) holds no certificates (PEM)")
        }
        return roots
    }
}

/// The option that names the certificate authorities of a server.
struct AuthoritiesOption: ParsableArguments {
    @Option(file: "Certificates (PEM) of the authorities that may sign the server's, in place of the system's.")
    var ca: String?

    /// The authorities of the file; without one, the system's.
    var roots: TrustRoots { get throws(Failure) { try .named(ca) } }
}
