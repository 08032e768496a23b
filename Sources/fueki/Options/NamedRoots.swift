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
