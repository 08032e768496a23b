internal import AuditLog
internal import AuthSettings
internal import Logging
internal import SQLStore
internal import Secrets
internal import ServerAudit
internal import ServerHTTP
internal import ServiceLifecycle
internal import WebAuthn

/// Reads the files that the settings name again when the process gets SIGHUP: the TLS certificate and its key, the
/// certificates of makers, the metadata, the keys of witnessed logs, the logo. The settings themselves are read only at the start.
struct Reloading<Signals: AsyncSequence & Sendable>: Service, CustomStringConvertible where Signals.Element: Sendable {
    let server: AuthServer
    /// The signals, which are trapped before the server reports that it is ready: so an early signal is not lost.
    let signals: Signals

    /// Replaces the configuration in log lines: the library that runs services logs them, and the configuration may
    /// contain a password.
    var description: String { "reloading" }

    func run() async throws {
        for try await _ in signals.cancelOnGracefulShutdown() { await server.reload() }
    }
}

extension AuthServer {
    /// Reads the files again. If a file cannot be read, the old value stays in use; connections and requests continue.
    func reload() async {
        if case .tls(let certificate, let key) = configuration.transport {
            let isReloaded = reload("certificate", transport.certificate) {
                try ServerTransport.context(certificate: certificate, key: key)
            }
            // The metric shows the expiry of the certificate in use.
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
        if let witnessing, let path = configuration.witness.logsPath {
            report("witnessed_logs") { try witnessing.replaceLogs(with: WitnessedLogs.ofOperator(path)) }
        }
        await noteConfigured()
        if let path = configuration.page.logoPath { reload("logo", logo) { try PageLogo.read(path) } }
    }

    /// Puts the event into the audit log that the server has read its files again.
    private func noteConfigured() async {
        guard let outbox = audit?.outbox else { return }
        let (id, now, sealer) = (SystemRandom().publicBytes(count: 16), clock(), sealer)
        do {
            try await database.write { try outbox.add(.configured, id: id, at: now, sealer: sealer, in: $0) }
            outbox.wake()
        } catch {
            logger.warning(
                "reloading is not in the audit log", metadata: .of([.reason: "\(ProblemMapping.reason(of: error))"]))
        }
    }

    /// Reads one value again.
    ///
    /// - Returns: whether the new value is in use.
    @discardableResult
    private func reload<Value>(_ name: String, _ place: Reloadable<Value>?, _ read: () throws -> Value) -> Bool {
        report(name) { place?.replace(with: try read()) }
    }

    /// Runs the reading of a value, and logs how it ended.
    @discardableResult
    private func report(_ name: String, _ body: () throws -> Void) -> Bool {
        do {
            try body()
            logger.notice("reloaded", metadata: .of([.file: "\(name)"]))
            return true
        } catch {
            // The errors are the same as at the start, and name a file of the operator.
            let isOfStart = error is StartupError || error is CertificateFault
            let reason = isOfStart ? "\(error)" : ProblemMapping.reason(of: error)
            logger.error(
                "not reloaded; the old version stays in use", metadata: .of([.file: "\(name)", .reason: "\(reason)"]))
            return false
        }
    }
}
