/// The reason why a server's certificate cannot be used.
package enum CertificateFault: Error, Equatable, Sendable {
    /// The certificate or its key cannot be read as PEM.
    case unreadable(path: String)
    /// The certificate and its key do not match.
    case otherKey
}
