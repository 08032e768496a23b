/// The reason why a server's certificate cannot be used.
public enum CertificateFault: Error, Equatable, Sendable, CustomStringConvertible {
    /// The certificate or its key cannot be read as PEM.
    case unreadable(path: String)
    /// The certificate and its key do not match.
    case otherKey

    public var description: String {
        switch self {
        case .unreadable(let path): "tls: \(path): cannot be read as PEM"
        case .otherKey: "tls: the key is not the certificate's"
        }
    }
}
