public import AuthSettings
internal import Files
internal import NIOSSL
internal import SQLStore
internal import ServerAudit
internal import ServerHTTP
public import Time

extension Preflight {
    /// Returns the findings about files that a start uses in spite of them: a vault or a key that others can access, a
    /// certificate that clients refuse. The program that starts the server writes them to the log.
    public static func warnings(
        _ configuration: ServerConfiguration, home: ServerHome, at now: Timestamp
    ) -> [Finding] {
        let vault = openFile(home.vaultPath, about: "vault")
        guard case .tls(let certificate, let key) = configuration.transport else { return vault }
        return vault + look(atCertificate: certificate, of: configuration, now: now).filter { !$0.isGood }
            + openFile(key, about: "certificate")
    }

    /// Returns the finding that others can access a file; empty if they cannot.
    package static func openFile(_ path: String, about: String) -> [Finding] {
        guard SecretFile.isOpenToOthers(path) else { return [] }
        return [
            Finding(isGood: false, about: about, text: "other users than its owner can access \(path): chmod 600")
        ]
    }

    /// Returns the findings about the expiry and the names of the server's certificate.
    static func look(
        atCertificate path: String, of configuration: ServerConfiguration, now: Timestamp
    ) -> [Finding] {
        guard let own = try? NIOSSLCertificate.fromPEMFile(path).first else { return [] }
        let expiry = Double(own.notValidAfter)
        let days = Int((expiry - Double(now.seconds)) / 86_400)
        let text =
            expiry <= Double(now.seconds)
            ? "has expired: renew it" : "expires in \(days) \(days == 1 ? "day" : "days")"
        var findings = [
            Finding(isGood: days >= Limits.certificateDays, about: "certificate", text: "\(path): \(text)")
        ]
        let host = configuration.publicURL.host
        if !own.isFor(host) {
            findings.append(
                Finding(
                    isGood: false, about: "certificate",
                    text: "\(path): is not for \(host), the host of public_url, so that clients refuse it"))
        }
        return findings
    }

    /// Checks that the file system of the store and the audit log has space: a start writes to both.
    ///
    /// - Parameter free: returns the free bytes of the file system of a folder; nil if they are not known.
    /// - Throws: `StoreError.diskFull`.
    static func requireSpace(
        _ configuration: ServerConfiguration, home: ServerHome, free: (String) -> Int64?
    ) throws(StoreError) {
        var folders = [home.path]
        if case .sqlite(let name) = configuration.store {
            let path = home.absolute(name)
            if let end = path.lastIndex(of: "/") { folders.append(String(path[...end])) }
        }
        if let places = AuditPlaces(configuration.audit, home: home) { folders.append(places.folder) }
        for folder in folders {
            if let bytes = free(folder), bytes < Limits.freeBytes { throw .diskFull }
        }
    }
}

extension NIOSSLCertificate {
    /// Whether the certificate names a host (RFC 6125 section 6.4): as it is, or with a wildcard for its first label.
    fileprivate func isFor(_ host: String) -> Bool {
        let parent = host.firstIndex(of: ".").map { host[$0...] }
        return _subjectAlternativeNames().contains { name in
            guard name.nameType == .dnsName else { return false }
            let text = name.contents.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }.lowercased()
            return text == host || parent.map { text == "*\($0)" } == true
        }
    }
}
