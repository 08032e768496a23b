internal import Logging
internal import ServiceLifecycle
internal import WebAuthn

/// Reads the files that the settings name again when the process gets SIGHUP: the TLS certificate and its key, the certificates of
/// makers, the metadata. The settings themselves are read at the start only.
struct Reloading<Signals: AsyncSequence & Sendable>: Service, CustomStringConvertible where Signals.Element: Sendable {
    let server: AuthServer
    /// Trapped before the server says that it is ready: a signal that comes at once is not lost.
    let signals: Signals

    /// Hides the configuration, which may have a password: the library that runs services logs them.
    var description: String { "reloading" }

    func run() async throws {
        for try await _ in signals.cancelOnGracefulShutdown() { await server.reload() }
    }
}

extension AuthServer {
    /// Reads the files again. A file that cannot be read leaves the old value in use; connections and requests go on.
    func reload() async {
        if case .tls(let certificate, let key) = configuration.transport {
            let isReloaded = reload("certificate", transport.certificate) {
                try ServerTransport.context(certificate: certificate, key: key)
            }
            // The metric is of the certificate in use.
            if isReloaded { certificateExpiry.set(ServerTransport.certificateExpiry(configuration.transport)) }
        }
        let policy: Result<AttestationPolicy, any Error>
        do {
            policy = .success(
                try await Self.policy(configuration.attestation, noting: database, at: clock()))
        } catch {
            policy = .failure(error)
        }
        reload("attestation", attestationPolicies) { try policy.get() }
    }

    /// - Returns: whether the new value is in use.
    @discardableResult
    private func reload<Value>(_ name: String, _ place: Reloadable<Value>?, _ read: () throws -> Value) -> Bool {
        do {
            place?.replace(with: try read())
            logger.notice("reloaded", metadata: ["file": "\(name)"])
            return true
        } catch {
            // The errors are those of the start, and name a file of the operator's.
            let reason = (error as? StartupError).map { "\($0)" } ?? ProblemMapping.reason(of: error)
            logger.error("not reloaded, the old goes on", metadata: ["file": "\(name)", "reason": "\(reason)"])
            return false
        }
    }
}
